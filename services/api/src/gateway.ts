import { setTimeout } from 'node:timers/promises';
import { openProcessDatabase } from '@continuity/kernel/database';
import {
  type Clock,
  refuseUsedPort,
  type Service,
  servicesOf,
  systemClock,
} from '@continuity/kernel/process';
import { loadSkillHosts } from '@continuity/shared/external-skills';
import { PackageThreads } from '@continuity/shared/skills';
import { watchBacklog } from '@continuity/shared/stats';
import { buildApp } from './app.ts';
import { watchConnections } from './http/drain.ts';
import { startMetricsListener } from './http/metrics.ts';
import { openEmbeddingProfile, openGenerationCheck, openReranker } from './models.ts';
import { openDirectory, openServer } from './open-server.ts';
import { readReadiness } from './readiness.ts';
import { Servers } from './servers.ts';

/** A listening gateway. */
export interface Gateway {
  /** `http://host:port` */
  url: string;
  /** `http://host:port` of the listener of `METRICS_PORT`; undefined without one. */
  metricsUrl: string | undefined;
  /** Resolves when the gateway can serve; rejects for a permanent failure. */
  ready: Promise<void>;
  /**
   * Fails readiness, and serves for `GATEWAY_DRAIN_MS` more, so that load balancers and callers on open connections go to other
   * gateways before requests are refused: each answer closes its connection.
   */
  drain(): Promise<void>;
}

interface GatewayOptions {
  /** Replaced by tests. */
  clock?: Clock;
  /** See `AppOptions`. */
  readerTimeoutMs?: number;
}

/**
 * Listens at once, and serves as soon as the database answers. At the close of the resources, readiness fails and new requests are
 * rejected at once; requests in flight complete, then the connections close. Throws a `StartRefusedError` for a Redis that evicts,
 * and for a port that is in use.
 */
export async function startGateway(
  service: Service,
  { clock = systemClock, readerTimeoutMs }: GatewayOptions = {},
): Promise<Gateway> {
  const { settings, logger, telemetry, resources } = service;
  const { metrics } = telemetry;
  const configuredHosts = await loadSkillHosts(settings);
  const packageThreads = new PackageThreads();
  resources.onClose('package threads', () => packageThreads.close());
  const embedding = openEmbeddingProfile(settings, metrics, logger);
  const reranker = openReranker(settings, metrics);
  const shared = { clock, packageThreads, embedding, reranker, configuredHosts };
  const services = servicesOf(service);
  const databases = services.map((one) => ({ one, ...openProcessDatabase(one, 'continuity-api') }));
  const directory = openDirectory(logger, databases);
  const opened = await Promise.all(
    databases.map(({ one, ...database }) => openServer(one, database, shared, directory)),
  );
  const servers = new Servers({ settings, logger, all: opened, directory });
  const metricsListener = await startMetricsListener({ settings, logger, telemetry });
  resources.onClose('metrics listener', () => metricsListener?.stop());
  const generation = openGenerationCheck(settings);
  const app = buildApp({
    settings,
    logger,
    servers,
    generation,
    embedding,
    telemetry,
    ...(readerTimeoutMs !== undefined && { readerTimeoutMs }),
  });
  const connections = watchConnections(app, () => servers.isLeaving);
  const { HOST: host, PORT: port } = settings;
  const url = await refuseUsedPort(app.listen({ host, port }), { host, port, setting: 'PORT' });
  // A request that waits for a worker beyond the grace period gets a 503 with `Retry-After`.
  const closeJobs = async () => void (await Promise.all(opened.map(({ jobs }) => jobs.close())));
  resources.onClose('requests', (graceMs) => connections.close(graceMs, closeJobs), 'grace');
  resources.onClose('embedding check', () => embedding?.stop());
  resources.onClose('tokens file', () => servers.close());
  resources.onClose(
    'backlog metrics',
    watchBacklog(
      metrics,
      databases.map(({ database }) => database.sql),
    ),
  );
  resources.onClose(
    'readiness metrics',
    metrics.watchGauges(['ready'], async () => {
      const { checks } = await readReadiness(servers, { generation, embedding });
      return Object.entries(checks).map(([check, state]) => ({
        gauge: 'ready' as const,
        value: state === 'ready' ? 1 : 0,
        labels: { check },
      }));
    }),
  );
  resources.onClose('readiness', () => servers.beginShutdown());
  return {
    url,
    metricsUrl: metricsListener?.url,
    ready: Promise.all([servers.assemble(), embedding?.start()]).then(() => undefined),
    drain: async () => {
      if (settings.GATEWAY_DRAIN_MS === 0) return;
      servers.beginDrain();
      logger.info({ drain_ms: settings.GATEWAY_DRAIN_MS }, 'draining');
      await setTimeout(settings.GATEWAY_DRAIN_MS);
    },
  };
}
