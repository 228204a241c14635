import type { Settings } from '@continuity/kernel/config';
import type { TenantId } from '@continuity/kernel/database';
import { refuseUsedPort } from '@continuity/kernel/process';
import { type Logger, openMetricsType, type Telemetry } from '@continuity/kernel/telemetry';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { answerClientError, sendError, toServiceError } from './errors.ts';
import { observeRequests } from './observe-requests.ts';
import { forbidSniffing } from './response-headers.ts';
import { guardHosts, refuseSeveralHosts } from './trusted-hosts.ts';
import { refuseUnknownRoutes } from './unknown-route.ts';

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

interface MetricsListener {
  /** `http://host:port` */
  url: string;
  stop(): Promise<void>;
}

interface MetricsListenerOptions {
  settings: Settings;
  logger: Logger;
  telemetry: Pick<Telemetry, 'metrics' | 'scrape'>;
}

/** Serves `/metrics` and nothing else on `METRICS_PORT`, without a token. Undefined where the port is not set. */
export async function startMetricsListener({
  settings,
  logger,
  telemetry,
}: MetricsListenerOptions): Promise<MetricsListener | undefined> {
  const { HOST: host, METRICS_PORT: port } = settings;
  if (port === undefined) return undefined;
  const app = Fastify({ logger: false, forceCloseConnections: true, clientErrorHandler: answerClientError });
  app.decorateRequest('tenantId', 0 as TenantId);
  observeRequests(app, { logger, metrics: telemetry.metrics });
  forbidSniffing(app);
  refuseSeveralHosts(app);
  const requireTrustedHost = guardHosts(settings);
  const refuse = refuseUnknownRoutes([metricsPage]);
  app.addHook('onRequest', async (request, reply) => {
    requireTrustedHost(request);
    if (request.is404) refuse(request, reply);
  });
  app.setErrorHandler((failure, _request, reply) =>
    sendError(reply, toServiceError(failure, settings.BODY_LIMIT_BYTES)),
  );
  serveMetrics(app, telemetry.scrape);
  const url = await refuseUsedPort(app.listen({ host, port }), { host, port, setting: 'METRICS_PORT' });
  return { url, stop: () => app.close() };
}
