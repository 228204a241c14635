import { openMetricsType } from '@continuity/kernel/telemetry';
import type { FastifyInstance } from 'fastify';

/** Serves `/metrics`. Where authentication is on, it needs a token of the role `operator` (spec 00 §6). */
export function serveMetrics(app: FastifyInstance, scrape: () => Promise<string>): void {
  app.route({
    method: 'GET',
    url: metricsPage.path,
    config: { page: 'metrics', role: 'operator' },
    handler: async (_request, reply) => {
      const text = await scrape();
      return reply.header('Content-Type', openMetricsType).header('Cache-Control', 'no-store').send(text);
    },
  });
}

/** For the `Allow` of other methods. */
export const metricsPage = { method: 'GET', path: '/metrics' } as const;
