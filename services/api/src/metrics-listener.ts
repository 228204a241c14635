import type { Settings } from '@continuity/kernel/config';
import type { TenantId } from '@continuity/kernel/database';
import { refuseUsedPort } from '@continuity/kernel/process';
import type { Logger, Telemetry } from '@continuity/kernel/telemetry';
import Fastify from 'fastify';
import { answerClientError } from './http/client-error.ts';
import { sendError, toServiceError } from './http/errors.ts';
import { metricsPage, serveMetrics } from './http/metrics-page.ts';
import { forbidSniffing } from './http/no-sniff.ts';
import { observeRequests } from './http/observe-requests.ts';
import { guardHosts } from './http/trusted-hosts.ts';
import { refuseUnknownRoutes } from './http/unknown-route.ts';

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
