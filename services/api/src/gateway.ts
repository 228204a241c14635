import { setTimeout } from 'node:timers/promises';
import { openProcessDatabase } from '@continuity/kernel/database';
import { type Clock, refuseUsedPort, type Service, systemClock } from '@continuity/kernel/process';
import { queueStoreOf } from '@continuity/kernel/queue';
import { openConnectors } from '@continuity/shared/connectors';
import { loadSkillHosts, TenantHosts } from '@continuity/shared/external-skills';
import { families } from '@continuity/shared/families';
import { openJobGateway } from '@continuity/shared/jobs';
import { VectorSupportCache } from '@continuity/shared/memory';
import { reportResults } from '@continuity/shared/reports';
import { CorpusCache } from '@continuity/shared/search';
import { PackageThreads } from '@continuity/shared/skills';
import { CoalescedReads, watchBacklog } from '@continuity/shared/stats';
import { buildApp } from './app.ts';
import { watchConnections } from './http/drain.ts';
import { startMetricsListener } from './http/metrics.ts';
import { openEmbeddingProfile, openGenerationCheck, openReranker } from './models.ts';
import { readReadiness } from './readiness.ts';
import { Runtime } from './runtime.ts';

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
  const { database, address } = openProcessDatabase(service, 'continuity-api');
  const packageThreads = new PackageThreads();
  resources.onClose('package threads', () => packageThreads.close());
  const connectors = openConnectors(database);
  resources.onClose('connectors', () => connectors.close());
  const flushDelay = settings.MEMORY_AUTO_FLUSH
    ? {
        debounceMs: settings.MEMORY_AUTO_FLUSH_DEBOUNCE_MS,
        maxDelayMs: settings.MEMORY_AUTO_FLUSH_MAX_DELAY_MS,
      }
    : null;
  const jobs = await openJobGateway({
    database,
    databaseUrl: address.directUrl,
    store: queueStoreOf(settings, address.directUrl),
    waitMs: settings.JOB_WAIT_MS,
    logger,
    onJobEvent: (event) => metrics.recordJob(event),
  });
  resources.onClose('jobs', () => jobs.close());
  const metricsListener = await startMetricsListener({ settings, logger, telemetry });
  resources.onClose('metrics listener', () => metricsListener?.stop());
  const embedding = openEmbeddingProfile(settings, metrics, logger);
  const reranker = openReranker(settings, metrics);
  const skillHosts = new TenantHosts(configuredHosts, database);
  const runtime = new Runtime({
    settings,
    logger,
    database,
    assembleDeps: (cursors) => ({
      settings,
      logger,
      database,
      cursors,
      clock,
      jobs,
      readResult: reportResults(database),
      connectors,
      flushDelay,
      searchDeps: {
        database,
        embedder: () => embedding?.embedder() ?? null,
        vectorSupport: new VectorSupportCache(),
        corpusCache: new CorpusCache(),
        reranker,
      },
      packageThreads,
      families,
      skillHosts,
      statsReads: new CoalescedReads(),
    }),
  });
  const generation = openGenerationCheck(settings);
  const app = buildApp({
    settings,
    logger,
    runtime,
    queue: jobs,
    generation,
    embedding,
    skillHosts,
    telemetry,
    ...(readerTimeoutMs !== undefined && { readerTimeoutMs }),
  });
  const connections = watchConnections(app, () => runtime.isLeaving);
  const { HOST: host, PORT: port } = settings;
  const url = await refuseUsedPort(app.listen({ host, port }), { host, port, setting: 'PORT' });
  // A request that waits for a worker beyond the grace period gets a 503 with `Retry-After`.
  resources.onClose('requests', (graceMs) => connections.close(graceMs, () => jobs.close()), 'grace');
  resources.onClose('embedding check', () => embedding?.stop());
  resources.onClose('tokens file', () => runtime.close());
  resources.onClose('backlog metrics', watchBacklog(metrics, database.sql));
  resources.onClose(
    'readiness metrics',
    metrics.watchGauges(['ready'], async () => {
      const { checks } = await readReadiness(runtime, jobs, {
        generation,
        embedding,
        hasSkillHosts: skillHosts.isConfigured,
      });
      return Object.entries(checks).map(([check, state]) => ({
        gauge: 'ready' as const,
        value: state === 'ready' ? 1 : 0,
        labels: { check },
      }));
    }),
  );
  resources.onClose('readiness', () => runtime.beginShutdown());
  return {
    url,
    metricsUrl: metricsListener?.url,
    ready: Promise.all([runtime.assemble(), embedding?.start()]).then(() => undefined),
    drain: async () => {
      if (settings.GATEWAY_DRAIN_MS === 0) return;
      runtime.beginDrain();
      logger.info({ drain_ms: settings.GATEWAY_DRAIN_MS }, 'draining');
      await setTimeout(settings.GATEWAY_DRAIN_MS);
    },
  };
}
