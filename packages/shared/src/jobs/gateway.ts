import type { QueueName } from '@continuity/contract';
import type { JobAccepted } from '@continuity/contract/jobs';
import type { Database, Epoch, TenantId } from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { currentEpoch, runAsTenant } from '@continuity/kernel/fairness';
import type { JsonValue } from '@continuity/kernel/json';
import {
  batchedByKey,
  openProducer,
  type QueueAddress,
  type QueueEntry,
  type QueueProducer,
  type QueueStore,
  type QueueStoreState,
} from '@continuity/kernel/queue';
import type { Logger } from '@continuity/kernel/telemetry';
import { cancelJob } from './cancel.ts';
import { type NewJob, type OnJobEvent, resultOf } from './job.ts';
import { traceSend } from './job-trace.ts';
import { type LiveModels, LiveWorkersCache } from './live-workers.ts';
import type { KeyedJob } from './new-job.ts';
import { acceptedJob, type ReadResult, type StoredJob } from './read.ts';
import { ResultWaiter } from './result-waiter.ts';
import { findRetryable, retryJob } from './retry.ts';
import { insertBatch } from './times.ts';
import {
  type EarlierResult,
  type EarlierWork,
  findEarlierResult,
  insertByKey,
  joinByKey,
} from './work-key.ts';
import {
  abandonUnqueuedJob,
  type JobWrite,
  newJobWrite,
  takeUndeliveredResult,
  type WrittenJob,
  writeJob,
  writeNewJobs,
} from './write.ts';

interface JobGatewayOptions {
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
  readonly #writeNew: (item: FencedWrite) => Promise<WrittenJob | undefined>;

  constructor(options: JobGatewayOptions, producer: QueueProducer, waiter: ResultWaiter) {
    this.#options = options;
    this.#producer = producer;
    this.#waiter = waiter;
    this.#liveWorkers = new LiveWorkersCache(options.database);
    this.#writeNew = batchedByKey(
      insertBatch,
      ({ write: { job } }) => job.tenantId,
      (items, tenantId) => this.#writeBatch(items, tenantId),
    );
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
    await this.#requireService(job);
    signal?.throwIfAborted();
    const written = await this.#write(job, () => this.#writeRow(job, this.#options.waitMs));
    return await this.#wait(job, written, begun, signal);
  }

  /** Writes a job and returns its id at once: the 202 of `Prefer: respond-async`. Throws like `submit`. */
  async submitAsync(job: NewJob): Promise<JobAccepted> {
    await this.#requireService(job);
    const { entry, status } = await this.#write(job, () => this.#writeRow(job, null));
    return acceptedJob(entry.jobId, status);
  }

  /**
   * Runs a job that is matched by its key, or takes an earlier result (spec 40 §2.1.2): joins the unfinished job of the
   * key, else answers with earlier work, else writes a new job. Throws like `submit`; earlier work needs neither queue nor worker.
   */
  async submitByKey(job: KeyedJob, earlier: EarlierWork, signal?: AbortSignal): Promise<JsonValue> {
    const begun = performance.now();
    const matched = await this.#match(job, earlier, this.#options.waitMs, signal);
    return 'written' in matched ? await this.#wait(job, matched.written, begun, signal) : matched.result;
  }

  /** As `submitByKey`, but returns the id of a job that has not ended at once. */
  async submitByKeyAsync(job: KeyedJob, earlier: EarlierWork): Promise<JobAccepted | EarlierResult> {
    const matched = await this.#match(job, earlier, null);
    if (!('written' in matched)) return matched;
    return acceptedJob(matched.written.entry.jobId, matched.written.status);
  }

  /** The result that an equal earlier request never received, once; else undefined. Needs neither queue nor worker. */
  async takeUndelivered(job: NewJob): Promise<{ jobId: string; result: JsonValue } | undefined> {
    return await takeUndeliveredResult(this.#databaseOf(job).lockingSql, job);
  }

  /** Cancels a job that has not ended (spec 00 §8.2). Throws 404 `job_not_found` and 409 `job_conflict`. */
  async cancel(tenantId: TenantId, jobId: string, readResult: ReadResult): Promise<StoredJob> {
    const { database, onJobEvent = () => {} } = this.#options;
    return await cancelJob({ database, readResult, onJobEvent }, tenantId, jobId);
  }

  /**
   * Queues a failed or cancelled job again, with a fresh count of attempts (spec 00 §8.3). Throws 404 `job_not_found`, 409
   * `job_conflict`, and like `submit`.
   */
  async retry(tenantId: TenantId, jobId: string): Promise<JobAccepted> {
    const { database, logger } = this.#options;
    const address = await findRetryable(database.sql, tenantId, jobId);
    await this.#requireService(address);
    const { queue } = address;
    return await traceSend(queue, async () => {
      const { entry, operation, earlierCode } = await retryJob(database, tenantId, jobId);
      logger.info(
        { queue, operation, tenant: tenantId, job_id: jobId, code: earlierCode },
        'a job is retried',
      );
      await this.#enqueueNew(entry);
      return acceptedJob(jobId, 'queued');
    });
  }

  /** Queues with a live worker, from a cache of one second. */
  async liveQueues(): Promise<ReadonlySet<QueueName>> {
    return await this.#liveWorkers.liveQueues();
  }

  /** What live workers say of their generation model, from the same cache. */
  async liveModels(): Promise<LiveModels> {
    return await this.#liveWorkers.liveModels();
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

  async #wait(job: NewJob, written: WrittenJob, begun: number, signal?: AbortSignal): Promise<JsonValue> {
    const { entry, status, result, awaitedUntil } = written;
    if (status === 'succeeded' || awaitedUntil === null) return result;
    const wait = {
      tenantId: job.tenantId,
      jobId: entry.jobId,
      awaitedUntil,
      coalesces: job.coalesces === 'until-begun' || job.coalesces === 'until-ended',
    };
    const limitMs = this.#options.waitMs - (performance.now() - begun);
    const outcome = await this.#waiter.wait(wait, limitMs, signal);
    if (outcome === undefined) throw jobTimeout(job, entry.jobId);
    return resultOf(outcome);
  }

  async #match(
    job: KeyedJob,
    earlier: EarlierWork,
    waitMs: number | null,
    signal?: AbortSignal,
  ): Promise<{ written: WrittenJob } | EarlierResult> {
    const { lockingSql: sql } = this.#databaseOf(job);
    const refusal = await this.#requireService(job).catch((error: unknown) => error);
    for (;;) {
      signal?.throwIfAborted();
      if (refusal === undefined) {
        const joined = await this.#write(job, () => joinByKey(sql, job, waitMs));
        if (joined !== undefined) return { written: joined };
      }
      const known = await findEarlierResult(sql, job, earlier);
      if (known !== undefined) return known;
      earlier.checkNew?.();
      if (refusal !== undefined) throw refusal;
      const added = await this.#write(job, () => insertByKey(sql, job, waitMs));
      if (added !== undefined) return { written: added };
    }
  }

  async #requireService({ queue, hostId }: QueueAddress): Promise<void> {
    const hasWorker = await this.#liveWorkers.hasWorker({ queue, hostId });
    // A queue in PostgreSQL fails together with the database, which has its own error.
    if (this.#options.store.redisUrl !== undefined && (await this.#producer.check()) !== 'ready') {
      throw queueUnavailable();
    }
    if (!hasWorker) {
      throw serviceError('worker_unavailable', {
        details: { queue, ...(hostId !== null && { host_id: hostId }) },
      });
    }
  }

  /** A frozen worker may hold the rows of a group. */
  #databaseOf({ tenantId, queue, group }: NewJob): Database {
    return this.#options.database.limitedBy(`${tenantId} ${queue} ${group}`);
  }

  /** Writes the row of a request and enqueues it. */
  async #write<W extends WrittenJob | undefined>(job: NewJob, write: () => Promise<W>): Promise<W> {
    return await traceSend(job.queue, async () => {
      const written = await write();
      if (written?.status === 'queued') await this.#enqueueNew(written.entry);
      return written;
    });
  }

  /** Most requests write a new row, which waits for no other one. So those of a tenant share a statement. */
  async #writeRow(job: NewJob, waitMs: number | null): Promise<WrittenJob> {
    const write = newJobWrite(job, waitMs);
    const isNew = job.coalesces === 'abandoned' || job.coalesces === 'never';
    const written = isNew ? await this.#writeNew({ write, epoch: currentEpoch() }) : undefined;
    return written ?? (await writeJob(this.#databaseOf(job), write));
  }

  /** A batch holds the ids of one epoch: those of an ended one fail. */
  async #writeBatch(items: FencedWrite[], tenantId: TenantId): Promise<(WrittenJob | undefined)[]> {
    const epoch = items.find((item) => item.epoch?.isCurrent === false)?.epoch ?? items[0]?.epoch;
    const writes = items.map(({ write }) => write);
    return await runAsTenant(tenantId, () => writeNewJobs(this.#options.database.sql, writes), epoch);
  }

  async #enqueueNew(entry: QueueEntry): Promise<void> {
    this.#options.onJobEvent?.({ queue: entry.queue, event: 'queued', ms: 0 });
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

/** A job to be written, and the epoch in which its tenant was looked up. */
interface FencedWrite {
  write: JobWrite;
  epoch: Epoch | undefined;
}

/** Opens the gateway's side of the queues. Resolves also while the queue store is down. Throws a `StartRefusedError`. */
export async function openJobGateway(options: JobGatewayOptions): Promise<JobGateway> {
  const { database, databaseUrl, store, logger } = options;
  const waiter = new ResultWaiter({ database, databaseUrl, logger });
  const onError = (error: unknown) => logger.warn({ err: error }, 'the connection to the queue store broke');
  const producer = await openProducer({ store, onError });
  await waiter.open();
  return new JobGateway(options, producer, waiter);
}

function queueUnavailable(jobId?: string, cause?: unknown): ServiceError {
  const details = jobId === undefined ? {} : { job_id: jobId };
  return serviceError('queue_unavailable', { details, cause });
}

/** If the job never coalesces, only `get_job` has its result (spec 40 §7): an equal request would start another one. */
function jobTimeout({ coalesces }: NewJob, jobId: string): ServiceError {
  const details = { job_id: jobId };
  if (coalesces !== 'never') return serviceError('job_timeout', { details });
  const message =
    'The job is still running. An equal request starts another job; `get_job` has the result of this one.';
  return serviceError('job_timeout', { message, details });
}
