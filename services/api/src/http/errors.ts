import { fromDatabaseError, type Logger, ServiceError } from '@continuity/shared/kernel';
import type { FastifyReply } from 'fastify';
import { fromFastifyError } from './body.ts';

/** Seconds after which a 503 is worth another try. */
const retryAfterSeconds = 1;

/** What the caller is told of any failure. The cause of an unknown one goes to the log only. */
export function toServiceError(error: unknown, bodyLimit: number): ServiceError {
  if (error instanceof ServiceError) return error;
  const known = fromFastifyError(error as { code?: unknown }, bodyLimit) ?? fromDatabaseError(error);
  return (
    known ?? new ServiceError('internal_error', 'Something failed inside the service.', {}, { cause: error })
  );
}

/** Logs what an operator must know of a failure; a caller's mistakes are not among it. */
export function logFailure(logger: Logger, error: ServiceError, requestId: string): void {
  if (error.status < 500) return;
  const level = error.code === 'internal_error' ? 'error' : 'warn';
  logger[level]({ err: error.cause ?? error, code: error.code, request_id: requestId }, 'request failed');
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error.status === 503 && !reply.hasHeader('Retry-After'))
    reply.header('Retry-After', String(retryAfterSeconds));
  if (error.status === 401) reply.header('WWW-Authenticate', 'Bearer');
  // The framework closes after a bad body. A caller that still sends would meet a reset connection instead of the answer;
  // left open, the rest of the body is read and dropped.
  reply.removeHeader('Connection');
  return reply.status(error.status).send(error.toEnvelope());
}
