import type { OperationSpec } from '@continuity/contract';
import type { FastifyInstance } from 'fastify';
import { rawPath } from './raw-path.ts';

/** Header of every answer; the trace id of the request if OpenTelemetry is on (spec 00 §2). */
export const requestIdHeader = 'X-Service-Request-ID';

/** Tells browsers to take every answer as the media type that it declares. */
export const noSniff = ['X-Content-Type-Options', 'nosniff'] as const;

/** Adds the header to all answers, errors included. */
export function forbidSniffing(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header(...noSniff);
    done();
  });
}

/** Sends `Cache-Control: no-store` with every answer of a `noStore` path, errors included. */
export function forbidStorage(app: FastifyInstance, operations: readonly OperationSpec[]): void {
  const paths = new Set(operations.filter(({ noStore }) => noStore).map(({ path }) => path));
  app.addHook('onRequest', (request, reply, done) => {
    if (paths.has(rawPath(request.originalUrl))) reply.header('Cache-Control', 'no-store');
    done();
  });
}
