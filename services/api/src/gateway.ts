import type { Settings } from '@continuity/kernel/config';
import { databaseAddressOf, openDatabase } from '@continuity/kernel/database';
import { type Clock, refuseUsedPort, systemClock } from '@continuity/kernel/process';
import { queueStoreOf } from '@continuity/kernel/queue';
import type { Logger, Telemetry } from '@continuity/kernel/telemetry';
import { openConnectors } from '@continuity/shared/connectors';
import { loadSkillHosts, TenantHosts } from '@continuity/shared/external-skills';
import { openJobGateway } from '@continuity/shared/jobs';
import { VectorSupportCache } from '@continuity/shared/memory';
import { reportResults } from '@continuity/shared/reports';
import { CorpusCache } from '@continuity/shared/search';
import { PackageThreads } from '@continuity/shared/skills';
import { CoalescedReads, watchBacklog } from '@continuity/shared/stats';
import { buildApp } from './app.ts';
import { openEmbeddingProfile } from './embedding-profile.ts';
import { openGenerationCheck } from './generation-check.ts';
import { watchConnections } from './http/drain.ts';
import { startMetricsListener } from './metrics-listener.ts';
import { readReadiness } from './readiness.ts';
import { openReranker } from './reranker.ts';
import { Runtime } from './runtime.ts';

/** A listening gateway. */
export interface Gateway {
  /** `http://host:port` */
  url: string;
  /** `http://host:port` of the listener of `METRICS_PORT`; undefined without one. */
  metricsUrl: string | undefined;
  /** Resolves when the gateway can serve; rejects for a permanent failure. */
  ready: Promise<void>;
  /** Fails readiness and rejects new requests at once, completes requests in flight, then closes connections. */
  stop(): Promise<void>;
}

interface GatewayOptions {
  settings: Settings;
  logger: Logger;
  telemetry: Telemetry;
  /** Replaced by tests. */
  clock?: Clock;
  /** See `AppOptions`. */
  readerTimeoutMs?: number;
}

/**
 * Listens at once, and serves as soon as the database answers. Throws a `StartRefusedError` for a Redis that evicts, and for a port
 * that is in use.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { settings, logger, telemetry, clock = systemClock, readerTimeoutMs } = options;
  const address = databaseAddressOf(settings);
  const configuredHosts = await loadSkillHosts(settings);
  const database = openDatabase({
    ...address,
    size: settings.DATABASE_POOL_SIZE,
    name: 'continuity-api',
    watchesServer: true,
    onIdleError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  });
  const { metrics } = telemetry;
  const stopWatching = [
    metrics.watchPool(database.pool),
    metrics.watchPool(database.prismaPool),
    watchBacklog(metrics, database.sql),
  ];
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
  const embedding = openEmbeddingProfile(settings, metrics, logger);
  const searchDeps = {
    database,
    embedder: () => embedding?.embedder() ?? null,
    vectorSupport: new VectorSupportCache(),
    corpusCache: new CorpusCache(),
    reranker: openReranker(settings, metrics),
  };
  const connectors = openConnectors(database);
  const packageThreads = new PackageThreads();
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
      searchDeps,
      packageThreads,
      skillHosts,
      statsReads: new CoalescedReads(),
    }),
  });
  const generation = openGenerationCheck(settings);
  stopWatching.push(
    metrics.watchGauges(['ready'], async () => {
      const { checks } = await readReadiness(runtime.isReady, database, jobs, {
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
  const connections = watchConnections(app, () => runtime.isStopping);
  const { HOST: host, PORT: port } = settings;
  const url = await refuseUsedPort(app.listen({ host, port }), { host, port, setting: 'PORT' });
  const metricsListener = await startMetricsListener({ settings, logger, telemetry });
  return {
    url,
    metricsUrl: metricsListener?.url,
    ready: Promise.all([runtime.assemble(), embedding?.start()]).then(() => undefined),
    stop: async () => {
      runtime.beginShutdown();
      for (const stop of stopWatching) stop();
      await runtime.close();
      await embedding?.stop();
      // A request that waits for a worker beyond the grace period gets a 503 with `Retry-After`.
      await connections.close(settings.SHUTDOWN_GRACE_MS, () => jobs.close());
      await metricsListener?.stop();
      await jobs.close();
      await connectors.close();
      await packageThreads.close();
      await database.close();
    },
  };
}
