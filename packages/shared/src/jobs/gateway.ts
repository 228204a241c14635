import type { QueueName } from '@continuity/contract';
import type { JobAccepted } from '@continuity/contract/jobs';
import {
  type Database,
  type JsonValue,
  type Logger,
  type ServiceError,
  serviceError,
  traceSend,
} from '@continuity/shared/kernel';
import {
  openProducer,
  type QueueEntry,
  type QueueProducer,
  type QueueStore,
  type QueueStoreState,
} from '@continuity/shared/kernel/queue';
import { type NewJob, type OnJobEvent, resultOf } from './job.ts';
import { LiveWorkersCache } from './live-workers.ts';
import { acceptedJob } from './read.ts';
import { ResultWaiter } from './result-waiter.ts';
import { abandonUnqueuedJob, takeUndeliveredResult, type WrittenJob, writeJob } from './write.ts';

export interface JobGatewayOptions {
  database: Database;
  /** For the connection that listens for finished jobs. */
  databaseUrl: string;
  store: QueueStore;
  /** Limit of the wait in `submit`, in milliseconds. */
  waitMs: number;
  logger: Logger;
  onJobEvent?: OnJobEvent;
}

/** Submits jobs to workers and waits for their results. One for each process. */
export class JobGateway {
  readonly #options: JobGatewayOptions;
  readonly #producer: QueueProducer;
  readonly #waiter: ResultWaiter;
  readonly #liveWorkers: LiveWorkersCache;

  constructor(options: JobGatewayOptions, producer: QueueProducer, waiter: ResultWaiter) {
    this.#options = options;
    this.#producer = producer;
    this.#waiter = waiter;
    this.#liveWorkers = new LiveWorkersCache(options.database.sql);
  }

  /**
   * Runs a job on a worker and returns its result, or throws its error (spec 00 §7):
   * - 503 `queue_unavailable` or `worker_unavailable` before anything is written;
   * - 503 `queue_unavailable` with the `job_id` when the queue fails after the row is written;
   * - 503 `job_timeout` when the limit of the wait passes.
   *
   * `signal` ends the wait of a caller that has gone, with the signal's reason. The job goes on.
   */
  async submit(job: NewJob, signal?: AbortSignal): Promise<JsonValue> {
    const begun = performance.now();
    await this.#requireService(job.queue);
    signal?.throwIfAborted();
    const written = await this.#write(job, this.#options.waitMs);
    const { entry, status, result, awaitedUntil } = written;
    if (status === 'succeeded' || awaitedUntil === null) return result;
    const wait = { tenantId: job.tenantId, jobId: entry.jobId, awaitedUntil, coalesces: job.coalesces };
    const limitMs = this.#options.waitMs - (performance.now() - begun);
    const outcome = await this.#waiter.wait(wait, limitMs, signal);
    if (outcome === undefined) throw jobTimeout(entry.jobId);
    return resultOf(outcome);
  }

  /** Writes a job and returns its id at once: the 202 of `Prefer: respond-async`. Throws like `submit`. */
  async submitAsync(job: NewJob): Promise<JobAccepted> {
    await this.#requireService(job.queue);
    const { entry, status } = await this.#write(job, null);
    return acceptedJob(entry.jobId, status);
  }

  /** The result that an equal earlier request never received, once; else undefined. Needs neither queue nor worker. */
  async takeUndelivered(job: NewJob): Promise<{ jobId: string; result: JsonValue } | undefined> {
    return await takeUndeliveredResult(this.#options.database.sql, job);
  }

  /** Queues with a live worker, from a cache of one second. */
  async liveQueues(): Promise<ReadonlySet<QueueName>> {
    return await this.#liveWorkers.liveQueues();
  }

  /** State of the queue store, for readiness. */
  async checkStore(): Promise<QueueStoreState> {
    return await this.#producer.check();
  }

  /** Ends open waits as timed out, and closes the connections. */
  async close(): Promise<void> {
    await this.#waiter.close();
    await this.#producer.close();
  }

  async #requireService(queue: QueueName): Promise<void> {
    const live = await this.#liveWorkers.liveQueues();
    // A queue in PostgreSQL fails together with the database, which has its own error.
    if (this.#options.store.redisUrl !== undefined && (await this.#producer.check()) !== 'ready') {
      throw queueUnavailable();
    }
    if (!live.has(queue)) {
      throw serviceError('worker_unavailable', { details: { queue } });
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

/** Opens the gateway's side of the queues. Resolves also while the queue store is down. */
export async function openJobGateway(options: JobGatewayOptions): Promise<JobGateway> {
  const { database, databaseUrl, store, logger } = options;
  const waiter = new ResultWaiter({ database, databaseUrl, logger });
  const onError = (error: unknown) => logger.warn({ err: error }, 'the connection to the queue store broke');
  const [producer] = await Promise.all([openProducer({ store, onError }), waiter.open()]);
  return new JobGateway(options, producer, waiter);
}

function queueUnavailable(jobId?: string, cause?: unknown): ServiceError {
  const details = jobId === undefined ? {} : { job_id: jobId };
  return serviceError('queue_unavailable', { details, cause });
}

function jobTimeout(jobId: string): ServiceError {
  return serviceError('job_timeout', { details: { job_id: jobId } });
}
