import type { QueueName } from '@continuity/contract';
import type { JobAccepted } from '@continuity/contract/jobs';
import {
  type Database,
  type JsonValue,
  type Logger,
  ServiceError,
  traceSend,
} from '@continuity/shared/kernel';
import {
  openProducer,
  type QueueEntry,
  type QueueProducer,
  type QueueStore,
  type QueueStoreState,
} from '@continuity/shared/kernel/queue';
import { WorkerDirectory } from './directory.ts';
import { type NewJob, type OnJobEvent, resultOf } from './job.ts';
import { acceptedJob } from './read.ts';
import { JobWaits } from './waits.ts';
import { abandonUnqueuedJob, takeLeftResult, type WrittenJob, writeJob } from './write.ts';

export interface JobGatewayOptions {
  database: Database;
  /** For the connection that hears of finished jobs. */
  databaseUrl: string;
  store: QueueStore;
  /** How long `submit` waits for an answer. */
  waitMs: number;
  logger: Logger;
  onJobEvent?: OnJobEvent;
}

/** The way of a request to a worker and back. One for each process. */
export class JobGateway {
  readonly #options: JobGatewayOptions;
  readonly #producer: QueueProducer;
  readonly #waits: JobWaits;
  readonly #directory: WorkerDirectory;

  constructor(options: JobGatewayOptions, producer: QueueProducer, waits: JobWaits) {
    this.#options = options;
    this.#producer = producer;
    this.#waits = waits;
    this.#directory = new WorkerDirectory(options.database.sql);
  }

  /**
   * Runs a job on a worker and answers with its result, or throws its error. 503 `queue_unavailable` or
   * `worker_unavailable` before anything is written; 503 `queue_unavailable` with the `job_id` where the queue went down
   * in between; 503 `job_timeout` when the time is used up (spec 00 §7). With `signal` a caller that has gone ends the
   * wait, with the signal's reason, and not the job.
   */
  async submit(job: NewJob, signal?: AbortSignal): Promise<JsonValue> {
    const begun = performance.now();
    await this.#requireService(job.queue);
    signal?.throwIfAborted();
    const written = await this.#write(job, this.#options.waitMs);
    const { entry, status, result, awaitedUntil } = written;
    if (status === 'succeeded' || awaitedUntil === null) return result;
    const wait = { tenantId: job.tenantId, jobId: entry.jobId, awaitedUntil, shared: job.shared === true };
    const limitMs = this.#options.waitMs - (performance.now() - begun);
    const outcome = await this.#waits.wait(wait, limitMs, signal);
    if (outcome === undefined) throw jobTimeout(entry.jobId);
    return resultOf(outcome);
  }

  /** Writes a job and answers at once with its id: the 202 of `Prefer: respond-async`. Throws like `submit`. */
  async submitAsync(job: NewJob): Promise<JobAccepted> {
    await this.#requireService(job.queue);
    const { entry, status } = await this.#write(job, null);
    return acceptedJob(entry.jobId, status);
  }

  /**
   * The result of an equal request whose caller never received it, once; undefined where there is none. Asks neither
   * queue nor worker.
   */
  async takeLeft(job: NewJob): Promise<{ jobId: string; result: JsonValue } | undefined> {
    return await takeLeftResult(this.#options.database.sql, job);
  }

  /** Queues with a live worker, at most a second old. */
  async liveQueues(): Promise<ReadonlySet<QueueName>> {
    return await this.#directory.liveQueues();
  }

  /** The queue store as readiness wants it. */
  async checkStore(): Promise<QueueStoreState> {
    return await this.#producer.check();
  }

  /** Ends the waits that are left as used up, and closes what was opened. */
  async close(): Promise<void> {
    await this.#waits.close();
    await this.#producer.close();
  }

  async #requireService(queue: QueueName): Promise<void> {
    const live = await this.#directory.liveQueues();
    // A store that is the database is down when the database is, and that is what the caller is then told.
    if (this.#options.store.redisUrl !== undefined && (await this.#producer.check()) !== 'ready') {
      throw queueUnavailable();
    }
    if (!live.has(queue)) {
      throw new ServiceError('worker_unavailable', 'No worker for this operation runs. Try again later.', {
        queue,
      });
    }
  }

  async #write(job: NewJob, waitMs: number | null): Promise<WrittenJob> {
    return await traceSend(job.queue, async () => {
      const written = await writeJob(this.#options.database, job, waitMs);
      if (written.status === 'queued') {
        this.#options.onJobEvent?.({ queue: job.queue, event: 'queued', ms: 0 });
        await this.#enqueue(written.entry);
      }
      return written;
    });
  }

  async #enqueue(entry: QueueEntry): Promise<void> {
    try {
      await this.#producer.add([entry]);
    } catch (error) {
      this.#options.logger.warn(
        { err: error, queue: entry.queue, job_id: entry.jobId },
        'queueing a job failed',
      );
      await abandonUnqueuedJob(this.#options.database.sql, entry);
      throw queueUnavailable(entry.jobId, error);
    }
  }
}

/** Opens the gateway's side of the queues. Resolves also while the stores are down. */
export async function openJobGateway(options: JobGatewayOptions): Promise<JobGateway> {
  const { database, databaseUrl, store, logger } = options;
  const waits = new JobWaits({ database, databaseUrl, logger });
  const onError = (error: unknown) => logger.warn({ err: error }, 'the connection to the queue store broke');
  const [producer] = await Promise.all([openProducer({ store, onError }), waits.open()]);
  return new JobGateway(options, producer, waits);
}

function queueUnavailable(jobId?: string, cause?: unknown): ServiceError {
  const details = jobId === undefined ? {} : { job_id: jobId };
  return new ServiceError('queue_unavailable', 'The queue does not answer. Try again shortly.', details, {
    cause,
  });
}

function jobTimeout(jobId: string): ServiceError {
  return new ServiceError(
    'job_timeout',
    'The work goes on and was not done in time. Send the same request again to get its result.',
    { job_id: jobId },
  );
}
