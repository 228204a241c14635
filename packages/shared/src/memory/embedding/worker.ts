import {
  type Database,
  deploymentStatement,
  PerEpoch,
  type Sql,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { type Repetition, repeat } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { type Embedder, InferenceError, type InferenceFailure } from '../../inference/index.ts';
import {
  DueScopeScheduler,
  dueBatch,
  finishJob,
  type JobHandler,
  type NewJob,
  newJob,
  takeDueScopes,
} from '../../jobs/index.ts';
import { measureBaseline } from './baseline.ts';
import { deleteUnusedMs, deleteUnusedProfiles } from './delete-unused-profiles.ts';
import { activateProfile, activeProfile, markScopes } from './profile.ts';
import { runEmbed } from './run.ts';
import { VectorIndex } from './vector-index.ts';

/** Interval between checks for Scopes to embed, in milliseconds. */
export const embedScheduleMs = 500;

/** Takes no Scope for a profile that is not active. */
const takeDue = deploymentStatement(
  'take_due_embeddings',
  takeDueScopes('memory_totals', 'embedding_due_at', { condition: `$1 = ${activeProfile}`, limit: '$2' }),
  { tenant_id: tables.memory_totals.tenant_id, scope_id: tables.scopes.scope_id },
);

/**
 * Queues a job for each Scope with entries that may lack a vector. While the endpoint is down it queues one Scope per check, as a
 * probe.
 */
export async function scheduleEmbeddings(
  sql: Sql,
  { profileKey, isEndpointDown }: { profileKey: number; isEndpointDown: boolean },
  scheduler: DueScopeScheduler,
): Promise<void> {
  await markScopes(sql, profileKey);
  const limit = isEndpointDown ? 1 : dueBatch;
  await scheduler.queueJobs(
    () => sql.rows(takeDue, [profileKey, limit]),
    ({ tenant_id, scope_id }) => embedJob(tenant_id, scope_id, profileKey),
  );
}

/** Creates an embedding job. Jobs of one Scope run one after the other. */
function embedJob(tenantId: TenantId, scopeId: string, profileKey: number): NewJob {
  const payload = { scope_id: scopeId, profile_key: profileKey };
  return newJob('embed_memory', { tenantId, scopeId, payload });
}

/** Failures of an endpoint that can end by themselves. */
const outages: readonly InferenceFailure[] = ['timeout', 'unreachable'];

/** Pause before the baseline is measured again after an outage of the endpoint, in milliseconds. */
const baselineRetryMs = 60_000;

/** The profile in one epoch. */
interface ActiveProfile {
  key: number | undefined;
  /** When its baseline may be measured. */
  measureAt: number;
}

interface EmbeddingWorkerOptions {
  database: Database;
  databaseUrl: string;
  logger: Logger;
  embedder: Embedder;
  /** Limit of texts per request. */
  batchSize: number;
}

/** Embeds entries in one process: schedules and runs jobs, and maintains profiles and their indexes. */
export class EmbeddingWorker {
  readonly #options: EmbeddingWorkerOptions;
  readonly #index: VectorIndex;
  readonly #active: PerEpoch<ActiveProfile>;
  readonly #stopped = new AbortController();
  #measuring: Promise<void> | undefined;
  #isEndpointDown = false;
  #schedules: Repetition[] = [];

  constructor(options: EmbeddingWorkerOptions) {
    this.#options = options;
    this.#index = new VectorIndex(options.databaseUrl, options.database.epochs, options.logger);
    this.#active = new PerEpoch(options.database.epochs, () => ({ key: undefined, measureAt: 0 }));
  }

  /** The handler of `embed_memory`. */
  readonly run: JobHandler<'embed_memory'> = async (job, payload, { signal }) => {
    const profileKey = await this.#profileKey();
    const { dimension } = this.#options.embedder.profile;
    const embedding = {
      ...this.#options,
      onEndpoint: (isDown: boolean) => {
        this.#isEndpointDown = isDown;
      },
      onStored: (embedded: number) => this.#index.buildIfLarge(profileKey, dimension, embedded),
    };
    await runEmbed(embedding, profileKey, job, payload, signal);
  };

  /** Starts the schedules: queue jobs for Scopes that may lack vectors, and delete unused profiles. */
  start(queueBackground: (job: NewJob) => Promise<boolean>): void {
    const { database, logger } = this.#options;
    const scheduler = new DueScopeScheduler(queueBackground, database.epochs);
    const warn = (error: unknown) => logger.warn({ err: error }, 'scheduling of embeddings failed');
    const schedule = async () => {
      const profile = { profileKey: await this.#profileKey(), isEndpointDown: this.#isEndpointDown };
      await scheduleEmbeddings(database.sql, profile, scheduler);
    };
    const deleteUnused = async () =>
      deleteUnusedProfiles(database, await this.#profileKey(), (profileKey) => this.#index.drop(profileKey));
    this.#schedules = [repeat(embedScheduleMs, schedule, warn), repeat(deleteUnusedMs, deleteUnused, warn)];
  }

  /** Stops the schedules, and cancels the measurement of the baseline and an index build. Does not end running jobs. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#schedules.map((schedule) => schedule.stop()));
    await this.#measuring;
    await this.#index.stop();
  }

  async #profileKey(): Promise<number> {
    const { database, embedder } = this.#options;
    const active = this.#active.current;
    active.key ??= await activateProfile(database.sql, embedder.profile);
    if (performance.now() >= active.measureAt && this.#measuring === undefined) {
      active.measureAt = Number.POSITIVE_INFINITY;
      this.#measuring = this.#measure(active, active.key).finally(() => {
        this.#measuring = undefined;
      });
    }
    return active.key;
  }

  /** Measures the baseline once for each activation; again after an outage. Embedding goes on meanwhile. Never rejects. */
  async #measure(active: ActiveProfile, profileKey: number): Promise<void> {
    const { database, embedder, batchSize, logger } = this.#options;
    const calls = { sql: database.sql, embedder, batchSize, signal: this.#stopped.signal };
    try {
      const baseline = await measureBaseline(calls, profileKey);
      if (baseline !== undefined)
        logger.info({ baseline }, 'the baseline of the embedding profile was measured');
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      const isOutage = !(error instanceof InferenceError) || outages.includes(error.reason);
      if (isOutage) active.measureAt = performance.now() + baselineRetryMs;
      logger.warn(
        { err: error },
        'the baseline of the embedding profile could not be measured: it counts as 0',
      );
    }
  }
}

/** A handler for processes without an embedding model. It finishes the job without embedding anything. */
export function withoutEmbedder(database: Database): JobHandler<'embed_memory'> {
  return (job) => finishJob(database.sql, job, { embedded: 0 });
}
