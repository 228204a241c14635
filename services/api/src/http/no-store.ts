import type { OperationSpec } from '@continuity/contract';
import type { FastifyInstance } from 'fastify';
import { rawPath } from './raw-path.ts';

/** Sends `Cache-Control: no-store` with every answer of a `noStore` path, errors included. */
export function forbidStorage(app: FastifyInstance, operations: readonly OperationSpec[]): void {
  const paths = new Set(operations.filter(({ noStore }) => noStore).map(({ path }) => path));
  app.addHook('onRequest', (request, reply, done) => {
    if (paths.has(rawPath(request.originalUrl))) reply.header('Cache-Control', 'no-store');
    done();
  });
}
