import type { FastifyInstance } from 'fastify';

/** Tells browsers to take every answer as the media type that it declares. */
export const noSniff = ['X-Content-Type-Options', 'nosniff'] as const;

/** Adds the header to all answers, errors included. */
export function forbidSniffing(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header(...noSniff);
    done();
  });
}
