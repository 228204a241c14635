import { fromDatabaseError, ServiceError, serviceError } from '@continuity/kernel/errors';
import type { FastifyReply } from 'fastify';
import { fromFastifyError } from './body.ts';

/** `Retry-After` of a 503, in seconds. */
export const retryAfterSeconds = 1;

/** The contract's error for any failure. An unknown failure is `internal_error`; only the log gets its cause. */
export function toServiceError(error: unknown, bodyLimit: number): ServiceError {
  if (error instanceof ServiceError) return error;
  const known =
    fromFastifyError(error as { code?: unknown; statusCode?: unknown }, bodyLimit) ??
    fromDatabaseError(error);
  return known ?? serviceError('internal_error', { cause: error });
}

/** Answers with the envelope of an error, and stores the error for the log line of the request. */
export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  reply.request.failure = error;
  if (error.status === 503 && !reply.hasHeader('Retry-After'))
    reply.header('Retry-After', String(retryAfterSeconds));
  if (error.status === 401) reply.header('WWW-Authenticate', 'Bearer');
  // Fastify closes the connection after a bad body, which would reset it while the caller still sends. Left open, Node
  // reads and drops the rest of the body, and the caller gets the answer.
  reply.removeHeader('Connection');
  return reply.status(error.status).send(error.toEnvelope());
}
