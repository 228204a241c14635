import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorEnvelope } from '@continuity/contract';
import { fromDatabaseError, ServiceError, serviceError } from '@continuity/kernel/errors';
import { newRequestId } from '@continuity/kernel/telemetry';
import type { FastifyReply } from 'fastify';
import { fromFastifyError } from './body.ts';
import { noSniff, requestIdHeader } from './response-headers.ts';

/** `Retry-After` of a 503, in seconds. */
export const retryAfterSeconds = 1;

/** The contract's error for any failure. An unknown failure is `internal_error`; only the log gets its cause. */
export function toServiceError(error: unknown, bodyLimit: number, contentLength?: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const known =
    fromFastifyError(error as { code?: unknown; statusCode?: unknown }, bodyLimit, contentLength) ??
    fromDatabaseError(error);
  return known ?? serviceError('internal_error', { cause: error });
}

/** Answers with the envelope of an error, or with `page` in its place, and stores the error for the log line of the request. */
export function sendError(
  reply: FastifyReply,
  error: ServiceError,
  page?: { body: string; headers: Record<string, string> },
): FastifyReply {
  reply.request.failure = error;
  if (error.status === 503 && !reply.hasHeader('Retry-After'))
    reply.header('Retry-After', String(retryAfterSeconds));
  if (error.status === 401) reply.header('WWW-Authenticate', 'Bearer');
  // Fastify closes the connection after a bad body, which would reset it while the caller still sends. Left open, Node
  // reads and drops the rest of the body, and the caller gets the answer.
  reply.removeHeader('Connection');
  reply.status(error.status);
  return page === undefined ? reply.send(error.toEnvelope()) : reply.headers(page.headers).send(page.body);
}

/** Time in which a caller can read the answer before the gateway cuts the connection. */
const lingerMs = 1_000;

interface ClientError extends Error {
  code?: string;
}

const answered = new WeakSet<Duplex>();

/** Answers bytes that are not HTTP with the error envelope. The only code for their statuses is `invalid_request`. */
export function answerClientError(error: ClientError, socket: Duplex): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = describeClientError(error.code);
  answerLast(socket, status, { error: { code: 'invalid_request', message, details: { issues: [] } } });
}

/** Answers 503 to a request that has not arrived completely. */
export function refuseUnfinished(socket: Duplex, refusal: ServiceError): void {
  answerLast(socket, refusal.status, refusal.toEnvelope(), [`Retry-After: ${retryAfterSeconds}`]);
}

function answerLast(socket: Duplex, status: number, envelope: ErrorEnvelope, headers: string[] = []): void {
  // Bytes after the first bad one fail again, but the caller has its answer already.
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(toHttp(status, envelope, headers));
  // Destroyed later: unread bytes of the caller would reset the connection before the answer arrives.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function describeClientError(code: string | undefined): [number, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [
        431,
        `The request line and headers exceed ${maxHeaderSize} bytes. Send fewer or shorter headers.`,
      ];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'The chunk extensions of the body are too long. Send the body without them.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request did not arrive in time. Send it again.'];
    default:
      return [400, 'The request is not valid HTTP.'];
  }
}

function toHttp(status: number, envelope: ErrorEnvelope, headers: string[]): string {
  const body = JSON.stringify(envelope);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${requestIdHeader}: ${newRequestId()}`,
    noSniff.join(': '),
    'Connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n');
}
