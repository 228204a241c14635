import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorEnvelope, newRequestId, type ServiceError } from '@continuity/shared/kernel';
import { retryAfterSeconds } from './errors.ts';
import { requestIdHeader } from './request-id.ts';

/** How long a caller may take to read the answer before the connection is cut. */
const lingerMs = 1_000;

interface ClientError extends Error {
  code?: string;
}

const answered = new WeakSet<Duplex>();

/**
 * Answers what Node could not read as HTTP, with the envelope of all other errors. These statuses are HTTP's own; the
 * contract has no code for them besides `invalid_request`.
 */
export function answerClientError(error: ClientError, socket: Duplex): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = judge(error.code);
  answerLast(socket, status, { error: { code: 'invalid_request', message, details: { issues: [] } } });
}

/** Answers a 503 to a request that has not wholly arrived. */
export function refuseUnfinished(socket: Duplex, refusal: ServiceError): void {
  answerLast(socket, refusal.status, refusal.toEnvelope(), [`Retry-After: ${retryAfterSeconds}`]);
}

function answerLast(socket: Duplex, status: number, envelope: ErrorEnvelope, headers: string[] = []): void {
  // What goes on arriving after a bad byte fails again; the caller has its answer already.
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(toHttp(status, envelope, headers));
  // Not destroyed at once: bytes of the caller that nobody reads would reset the connection before the answer arrives.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function judge(code: string | undefined): [number, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [431, `The request line and headers are over ${maxHeaderSize} bytes.`];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'The chunk extensions of the body are too long.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request did not arrive in time.'];
    default:
      return [400, 'This is not an HTTP request.'];
  }
}

function toHttp(status: number, envelope: ErrorEnvelope, headers: string[]): string {
  const body = JSON.stringify(envelope);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${requestIdHeader}: ${newRequestId()}`,
    'Connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n');
}
