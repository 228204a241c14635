import { connect } from 'node:net';

/** An unchecked answer. */
export interface WireAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Time limit of an exchange. An operation waits at most 30 s for a worker. */
const limitMs = 180_000;

/**
 * Sends bytes on a new connection and reads until the service closes it. Returns undefined if it closes without a
 * complete answer. Throws after the time limit.
 */
export function exchange(url: string, bytes: Buffer, endsEarly: boolean): Promise<WireAnswer | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const received: Buffer[] = [];
    const timer = setTimeout(() => {
      reject(new Error(`The service neither answered nor closed the connection within ${limitMs} ms.`));
      socket.destroy();
    }, limitMs);
    socket.on('data', (data) => received.push(data));
    // A service that refuses an unread body resets the connection after its answer.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(readAnswer(Buffer.concat(received)));
    });
    if (endsEarly) socket.end(bytes);
    else socket.write(bytes);
  });
}

const headEnd = '\r\n\r\n';

/** Parses the final answer and skips interim ones (100). Returns undefined if it is incomplete. */
export function readAnswer(bytes: Buffer): WireAnswer | undefined {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + headEnd.length);
  if (status < 200) return readAnswer(rest);
  const headers = new Headers(lines.map((line) => splitHeader(line)));
  const body = bodyOf(headers, rest);
  return body === undefined ? undefined : { status, headers, text: body.toString('utf8') };
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function bodyOf(headers: Headers, rest: Buffer): Buffer | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return joinChunks(rest);
  const length = Number(headers.get('content-length') ?? rest.length);
  // An answer to HEAD declares a length but has no body.
  return rest.length >= length || rest.length === 0 ? rest.subarray(0, length) : undefined;
}

function joinChunks(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    const start = line + 2;
    if (size === 0) return Buffer.concat(parts);
    if (bytes.length < start + size) return undefined;
    parts.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}
