import { InvalidRequestError } from './errors.ts';
import { toIfMatch } from './etags.ts';
import type { ClientOperation } from './operation.ts';
import type { CallOptions } from './types.ts';

/** Version of this package. `continuity --version` prints it, and a Receiver sends it to the service. */
export const packageVersion = '0.1.0';

/** A request that can be sent several times. */
export interface PreparedRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Distributes the fields of a request over path, query and body. Throws `InvalidRequestError` if it cannot be sent. */
export function prepareRequest(
  baseUrl: string,
  operation: ClientOperation,
  request: Record<string, unknown>,
  { ifMatch, idempotencyKey }: CallOptions,
): PreparedRequest {
  const rest = { ...request };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    toSegment(name, take(rest, name)),
  );
  const query = new URLSearchParams();
  for (const name of operation.query ?? []) {
    const value = take(rest, name);
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const search = query.size === 0 ? '' : `?${query}`;
  if (operation.method === 'GET') refuseUnknown(operation, rest);
  const body = operation.method === 'GET' ? undefined : toJson(rest);
  return {
    url: baseUrl.replace(/\/+$/, '') + path + search,
    method: operation.method,
    body,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': toIfMatch(ifMatch) }),
      ...(operation.repeat === 'keyed' && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
    },
  };
}

/** Throws for fields that a request without a body would leave out without a word. The service refuses unknown fields of a body. */
function refuseUnknown({ id, path, query = [] }: ClientOperation, rest: Record<string, unknown>): void {
  const [unknown] = Object.keys(rest).filter((name) => rest[name] !== undefined);
  if (unknown === undefined) return;
  const known = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).concat(query);
  const hint = known.length === 0 ? 'It has none.' : `Its fields: ${known.join(', ')}.`;
  throw new InvalidRequestError(`${id} has no field ${JSON.stringify(unknown)}. ${hint}`);
}

function take(fields: Record<string, unknown>, name: string): unknown {
  const value = fields[name];
  delete fields[name];
  return value;
}

/** Throws for values without JSON. Deep nesting exceeds the call stack. */
function toJson(body: Record<string, unknown>): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    const reason = cause instanceof RangeError ? 'nested too deeply, or too large' : (cause as Error).message;
    throw new InvalidRequestError(`The body cannot be written as JSON: ${reason}.`, { cause });
  }
}

/** Throws for an id that no URL can carry: platforms resolve the segments `.` and `..`, also when they are escaped. */
function toSegment(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (text === '' || text === '.' || text === '..' || /\p{Surrogate}/u.test(text)) {
    throw new InvalidRequestError(`${name}: ${JSON.stringify(text)} cannot be part of a path.`);
  }
  return encodeURIComponent(text);
}
