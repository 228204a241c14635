import type { Database, Epoch } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { type Repetition, repeat } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { jobsChannel } from './finish.ts';
import type { JobOutcome } from './job.ts';
import { type Listener, listen } from './listen.ts';
import {
  type AwaitedJob,
  type Delivery,
  deliverOutcomes,
  type EndedWait,
  findDeletedJobs,
  releaseWaits,
} from './result-delivery.ts';
import { deliveryBatch, pollMs } from './times.ts';

interface Wait extends EndedWait {
  /** `over`: the time limit has passed. `abandoned`: the caller has gone, so no result may be delivered. */
  state: 'open' | 'over' | 'abandoned';
  settle: (outcome: JobOutcome | undefined) => void;
}

interface ResultWaiterOptions {
  database: Database;
  databaseUrl: string;
  logger: Logger;
}

/**
 * Waits for the results of jobs, for all requests of this process. A notification only wakes; the row holds the result.
 * Notified jobs are fetched in batches. A poll each second finds results whose notification was lost.
 */
export class ResultWaiter {
  readonly #options: ResultWaiterOptions;
  readonly #waits = new Map<string, Set<Wait>>();
  readonly #woken = new Set<string>();
  /** Notified in this second and the last, without a wait: a request may be about to wait for one of them. */
  #early = new Set<string>();
  #earlier = new Set<string>();
  #listener: Listener | undefined;
  #poll: Repetition | undefined;
  /** The epoch of the database in which all waits were last checked for lost jobs. */
  #checkedEpoch: Epoch;
  #isFetching = false;
  #fetching = Promise.resolve();

  constructor(options: ResultWaiterOptions) {
    this.#options = options;
    this.#checkedEpoch = options.database.epochs.current;
  }

  async open(): Promise<void> {
    const { databaseUrl, logger } = this.#options;
    this.#poll = repeat(
      pollMs,
      () => this.#pollAll(),
      (error) => logger.error({ err: error }, 'polling the results of awaited jobs failed'),
    );
    this.#listener = await listen({
      url: databaseUrl,
      channel: jobsChannel,
      onPayload: (jobId) => this.#notify(jobId),
      onError: (error) => logger.warn({ err: error }, 'the connection that listens for finished jobs broke'),
    });
  }

  /**
   * The outcome of a job; undefined when `limitMs` pass without one. Rejects with the signal's reason when the caller goes.
   * The job goes on in both cases, and an equal request may take it over.
   */
  async wait(job: AwaitedJob, limitMs: number, signal?: AbortSignal): Promise<JobOutcome | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome | undefined>();
    const wait: Wait = { ...job, state: 'open', mayBeDelivered: false, settle: resolve };
    const end = (state: 'over' | 'abandoned') => {
      wait.state = state;
      this.#wake(job.jobId);
    };
    const leave = () => {
      end('abandoned');
      reject(signal?.reason);
    };
    const timer = setTimeout(() => end('over'), Math.max(limitMs, 0));
    signal?.addEventListener('abort', leave, { once: true });
    this.#add(wait);
    if (signal?.aborted === true) leave();
    if (this.#early.has(job.jobId) || this.#earlier.has(job.jobId)) this.#wake(job.jobId);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Ends every wait as if its time limit had passed, and stops listening. */
  async close(): Promise<void> {
    await Promise.all([this.#poll?.stop(), this.#listener?.close()]);
    for (const wait of [...this.#waits.values()].flatMap((waits) => [...waits])) {
      if (wait.state === 'open') wait.state = 'over';
      this.#wake(wait.jobId);
    }
    await this.#fetching;
  }

  #notify(jobId: string): void {
    this.#early.add(jobId);
    if (this.#waits.has(jobId)) this.#wake(jobId);
  }

  #wake(jobId: string): void {
    this.#woken.add(jobId);
    // One fetch at a time: jobs notified meanwhile share the next one, so that the batch grows with the load.
    if (!this.#isFetching) this.#fetching = this.#fetchWoken();
  }

  async #pollAll(): Promise<void> {
    this.#earlier = this.#early;
    this.#early = new Set();
    for (const jobId of this.#waits.keys()) this.#wake(jobId);
    await this.#fetching;
    await this.#settleDeleted();
  }

  /**
   * Ends the waits for jobs that were deleted with 404 `job_not_found`: only jobs that coalesce are ever deleted while awaited. Once in each
   * epoch, ends those for jobs that the database has lost with 503 `database_unavailable`.
   */
  async #settleDeleted(): Promise<void> {
    const { database } = this.#options;
    const { current } = database.epochs;
    const open = [...this.#waits.values()]
      .flatMap((waits) => [...waits])
      .filter(({ coalesces }) => coalesces || current !== this.#checkedEpoch);
    if (open.length > 0) {
      const missing = await findDeletedJobs(database.sql, open);
      const deleted = serviceError('job_not_found').toBody();
      const lost = serviceError('database_unavailable').toBody();
      for (const wait of open.filter(({ jobId }) => missing.has(jobId))) {
        this.#settle(wait, { status: 'failed', result: null, error: wait.coalesces ? deleted : lost });
      }
    }
    this.#checkedEpoch = current;
  }

  async #fetchWoken(): Promise<void> {
    this.#isFetching = true;
    // Includes every job that is notified in this tick.
    await new Promise((tick) => setImmediate(tick));
    while (this.#woken.size > 0) {
      const batch = this.#takeWoken();
      let ended: Wait[] | undefined;
      try {
        const answered = await this.#deliver(batch.filter(({ state }) => state !== 'abandoned'));
        // A wait that ends from here on has woken its job again, so the next batch releases it.
        ended = batch.filter(hasEnded);
        await this.#release(ended.filter(({ jobId }) => !answered.has(jobId)));
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'fetching the results of awaited jobs failed');
      }
      for (const wait of ended ?? batch.filter(hasEnded)) this.#settle(wait, undefined);
    }
    this.#isFetching = false;
  }

  #takeWoken(): Wait[] {
    const batch: Wait[] = [];
    for (const jobId of this.#woken) {
      if (batch.length >= deliveryBatch) break;
      this.#woken.delete(jobId);
      batch.push(...(this.#waits.get(jobId) ?? []));
    }
    return batch;
  }

  /** The jobs whose outcome a caller received. */
  async #deliver(batch: Wait[]): Promise<ReadonlySet<string>> {
    const answered = new Set<string>();
    if (batch.length === 0) return answered;
    // Holds if the answer to the statement is lost.
    for (const wait of batch) wait.mayBeDelivered = true;
    const deliveries = await deliverOutcomes(this.#options.database.sql, batch);
    for (const wait of batch) {
      const delivery = deliveries.find((one) => isAnsweredBy(wait, one));
      wait.mayBeDelivered = delivery !== undefined;
      // A caller that left during the fetch did not receive the result: the release makes it undelivered again.
      if (delivery === undefined || wait.state === 'abandoned') continue;
      answered.add(wait.jobId);
      this.#settle(wait, delivery.outcome);
    }
    return answered;
  }

  async #release(batch: Wait[]): Promise<void> {
    if (batch.length > 0) await releaseWaits(this.#options.database.sql, batch);
  }

  #add(wait: Wait): void {
    const waits = this.#waits.get(wait.jobId) ?? new Set();
    this.#waits.set(wait.jobId, waits.add(wait));
  }

  #settle(wait: Wait, outcome: JobOutcome | undefined): void {
    const waits = this.#waits.get(wait.jobId);
    waits?.delete(wait);
    if (waits?.size === 0) this.#waits.delete(wait.jobId);
    wait.settle(outcome);
  }
}

function hasEnded({ state }: Wait): boolean {
  return state !== 'open';
}

/** A job that coalesces answers all its waits, any other job only the wait that its row names. */
function isAnsweredBy(wait: Wait, { jobId, awaitedUntil }: Delivery): boolean {
  return wait.jobId === jobId && (wait.coalesces || wait.awaitedUntil.getTime() === awaitedUntil.getTime());
}
