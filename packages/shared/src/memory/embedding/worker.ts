import { type Database, type Logger, type Repetition, repeat } from '@continuity/shared/kernel';
import type { Embedder } from '../../inference/index.ts';
import { finishJob, type JobHandler, type NewJob } from '../../jobs/index.ts';
import { forgetProfiles, forgetScheduleMs } from './forget-profiles.ts';
import { activateProfile } from './profile.ts';
import { runEmbed } from './run.ts';
import { embedScheduleMs, scheduleEmbeddings } from './schedule.ts';
import { VectorIndex } from './vector-index.ts';

export interface EmbeddingWorkerOptions {
  database: Database;
  databaseUrl: string;
  logger: Logger;
  embedder: Embedder;
  /** Most texts of one request. */
  batchSize: number;
}

/** What one process does for the vectors of entries: its profile is the active one as soon as the database answers. */
export class EmbeddingWorker {
  readonly #options: EmbeddingWorkerOptions;
  readonly #index: VectorIndex;
  #key: number | undefined;
  #isEndpointDown = false;
  #schedules: Repetition[] = [];

  constructor(options: EmbeddingWorkerOptions) {
    this.#options = options;
    this.#index = new VectorIndex(options.databaseUrl, options.logger);
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
      onStored: (embedded: number) => this.#index.note(profileKey, dimension, embedded),
    };
    await runEmbed(embedding, profileKey, job, payload, signal);
  };

  /** From now on queues a job for each Scope that may lack vectors, and removes what no process uses any more. */
  start(queueBackground: (job: NewJob) => Promise<boolean>): void {
    const { database, logger } = this.#options;
    const warn = (error: unknown) => logger.warn({ err: error }, 'looking for entries to embed failed');
    const schedule = async () => {
      const profile = { profileKey: await this.#profileKey(), isEndpointDown: this.#isEndpointDown };
      await scheduleEmbeddings(database.sql, profile, queueBackground);
    };
    const forget = async () =>
      forgetProfiles(database, await this.#profileKey(), (profileKey) => this.#index.drop(profileKey));
    this.#schedules = [repeat(embedScheduleMs, schedule, warn), repeat(forgetScheduleMs, forget, warn)];
  }

  /** Looks no more, and builds no index. Running jobs are for the process to end. */
  async stop(): Promise<void> {
    await Promise.all(this.#schedules.map((schedule) => schedule.stop()));
    await this.#index.stop();
  }

  async #profileKey(): Promise<number> {
    const { database, embedder } = this.#options;
    this.#key ??= await activateProfile(database.sql, embedder.profile);
    return this.#key;
  }
}

/** The handler of a process without an embedding model: another process had one when the job was written. */
export function withoutEmbedder(database: Database): JobHandler<'embed_memory'> {
  return (job) => finishJob(database.sql, job, { embedded: 0 });
}
