import { type Database, PerEpoch } from '@continuity/kernel/database';
import { type Repetition, repeat } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { Embedder } from '../../inference/index.ts';
import { DueScopeScheduler, finishJob, type JobHandler, type NewJob } from '../../jobs/index.ts';
import { deleteUnusedMs, deleteUnusedProfiles } from './delete-unused-profiles.ts';
import { activateProfile } from './profile.ts';
import { runEmbed } from './run.ts';
import { embedScheduleMs, scheduleEmbeddings } from './schedule.ts';
import { VectorIndex } from './vector-index.ts';

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
  /** The key of the profile. */
  readonly #active: PerEpoch<{ key: number | undefined }>;
  #isEndpointDown = false;
  #schedules: Repetition[] = [];

  constructor(options: EmbeddingWorkerOptions) {
    this.#options = options;
    this.#index = new VectorIndex(options.databaseUrl, options.logger);
    this.#active = new PerEpoch(options.database.epochs, () => ({ key: undefined }));
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
    const scheduler = new DueScopeScheduler(queueBackground);
    const warn = (error: unknown) => logger.warn({ err: error }, 'scheduling of embeddings failed');
    const schedule = async () => {
      const profile = { profileKey: await this.#profileKey(), isEndpointDown: this.#isEndpointDown };
      await scheduleEmbeddings(database.sql, profile, scheduler);
    };
    const deleteUnused = async () =>
      deleteUnusedProfiles(database, await this.#profileKey(), (profileKey) => this.#index.drop(profileKey));
    this.#schedules = [repeat(embedScheduleMs, schedule, warn), repeat(deleteUnusedMs, deleteUnused, warn)];
  }

  /** Stops the schedules and cancels an index build. Does not end running jobs. */
  async stop(): Promise<void> {
    await Promise.all(this.#schedules.map((schedule) => schedule.stop()));
    await this.#index.stop();
  }

  async #profileKey(): Promise<number> {
    const { database, embedder } = this.#options;
    const active = this.#active.current;
    active.key ??= await activateProfile(database.sql, embedder.profile);
    return active.key;
  }
}

/** A handler for processes without an embedding model. It finishes the job without embedding anything. */
export function withoutEmbedder(database: Database): JobHandler<'embed_memory'> {
  return (job) => finishJob(database.sql, job, { embedded: 0 });
}
