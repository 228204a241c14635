import { fromDatabaseError, ServiceError, serviceError } from '@continuity/shared/kernel';
import type { FastifyReply } from 'fastify';
import { fromFastifyError } from './body.ts';

/** Seconds after which a 503 is worth another try. */
export const retryAfterSeconds = 1;

/** What the caller is told of any failure. The cause of an unknown one goes to the log only. */
export function toServiceError(error: unknown, bodyLimit: number): ServiceError {
  if (error instanceof ServiceError) return error;
  const known =
    fromFastifyError(error as { code?: unknown; statusCode?: unknown }, bodyLimit) ??
    fromDatabaseError(error);
  return known ?? serviceError('internal_error', { cause: error });
}

/** Answers with the envelope of an error, and leaves the error to the request's line in the log. */
export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  reply.request.failure = error;
  if (error.status === 503 && !reply.hasHeader('Retry-After'))
    reply.header('Retry-After', String(retryAfterSeconds));
  if (error.status === 401) reply.header('WWW-Authenticate', 'Bearer');
  // The framework closes after a bad body. A caller that still sends would meet a reset connection instead of the answer;
  // left open, the rest of the body is read and dropped.
  reply.removeHeader('Connection');
  return reply.status(error.status).send(error.toEnvelope());
}
