import { Store } from '../ui/store.ts';

/** A call of this tab, for the dialog Requests. It has no token. */
export interface LoggedRequest {
  number: number;
  operation: string;
  method: string;
  /** Absolute, so that the copied command runs as it stands. */
  url: string;
  headers: [string, string][];
  body: string | undefined;
  /** Null while it runs, and where no answer came. */
  status: number | null;
  milliseconds: number | null;
  requestId: string | null;
}

const kept = 50;
let count = 0;

/** The last 50 calls of this tab, the newest first. */
export const requests = new Store<readonly LoggedRequest[]>([]);

/** Adds a call to the log. Returns a function that completes it. */
export function logRequest(
  request: Pick<LoggedRequest, 'operation' | 'method' | 'url' | 'headers' | 'body'>,
): (answer: Pick<LoggedRequest, 'status' | 'requestId'>) => void {
  count += 1;
  const started = performance.now();
  const logged: LoggedRequest = {
    ...request,
    number: count,
    status: null,
    milliseconds: null,
    requestId: null,
  };
  requests.set([logged, ...requests.value].slice(0, kept));
  return (answer) => {
    const milliseconds = Math.round(performance.now() - started);
    requests.set(
      requests.value.map((one) => (one.number === logged.number ? { ...one, ...answer, milliseconds } : one)),
    );
  };
}

/** The command that repeats a call in a POSIX shell. `$TOKEN` stands for the token (spec 60 §5.3.2). */
export function toCurl(
  { method, url, headers, body }: Pick<LoggedRequest, 'method' | 'url' | 'headers' | 'body'>,
  needsToken: boolean,
): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...headers.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(needsToken ? ['  -H "authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : [`  -d ${quoted(body)}`]),
  ].join(' \\\n');
}
