import type { Database, DatabaseAddress } from '@continuity/kernel/database';
import type { Clock, ServerService } from '@continuity/kernel/process';
import { queueStoreOf } from '@continuity/kernel/queue';
import type { Logger } from '@continuity/kernel/telemetry';
import { openConnectors } from '@continuity/shared/connectors';
import { type ConfiguredHosts, TenantHosts } from '@continuity/shared/external-skills';
import { families } from '@continuity/shared/families';
import { type JobGateway, openJobGateway } from '@continuity/shared/jobs';
import { type Reranker, VectorSupportCache } from '@continuity/shared/memory';
import { reportResults } from '@continuity/shared/reports';
import { CorpusCache } from '@continuity/shared/search';
import type { PackageThreads } from '@continuity/shared/skills';
import { CoalescedReads } from '@continuity/shared/stats';
import { MoveWatch, TenantDirectory } from '@continuity/shared/tenants';
import type { EmbeddingProfileCheck } from './models.ts';
import { Runtime } from './runtime.ts';
import type { GatewayServer } from './servers.ts';

/** What all servers of a gateway share. */
interface SharedParts {
  clock: Clock;
  packageThreads: PackageThreads;
  /** Null if not configured, as is the reranker. */
  embedding: EmbeddingProfileCheck | null;
  reranker: Reranker | null;
  configuredHosts: ConfiguredHosts;
}

/** The directory of the tenants of several servers, the first one first. Undefined for one server. */
export function openDirectory(
  logger: Logger,
  databases: readonly { one: ServerService; database: Database }[],
): TenantDirectory | undefined {
  const servers = databases.flatMap(({ one: { entry }, database }) =>
    entry === undefined ? [] : [{ entry, database }],
  );
  return servers.length === 0 ? undefined : new TenantDirectory(servers, logger);
}

/** Opens what a gateway has on one database server: its queues, caches and runtime. */
export async function openServer(
  { settings, logger, telemetry, resources, server }: ServerService,
  { database, address }: { database: Database; address: DatabaseAddress },
  { clock, packageThreads, embedding, reranker, configuredHosts }: SharedParts,
  directory: TenantDirectory | undefined,
): Promise<GatewayServer & { jobs: JobGateway }> {
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
    onJobEvent: (event) => telemetry.metrics.recordJob(event),
  });
  resources.onClose('jobs', () => jobs.close());
  const skillHosts = new TenantHosts(configuredHosts, database);
  const runtime = new Runtime({
    settings,
    logger,
    database,
    ...(directory !== undefined &&
      server !== undefined && {
        tenants: {
          refresh: () => directory.refresh(),
          own: () => directory.tenantsOf(server.name),
          expectDeparted: () => directory.expectDeparted(server.name),
          reportStale: (names) => directory.reportStale(names),
        },
      }),
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
  return {
    name: server?.name ?? null,
    runtime,
    queue: jobs,
    skillHosts,
    moves: new MoveWatch(database),
    jobs,
  };
}
