import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueName } from '@continuity/contract';
import {
  type Database,
  fromDatabaseError,
  type Logger,
  logRun,
  markFailed,
  traceRun,
} from '@continuity/shared/kernel';
import type { QueueProducer, QueueToken } from '@continuity/shared/kernel/queue';
import { type Claim, claimJob, type Settled, settleJob } from './claim.ts';
import { failJob, JobLostError, saveProgress } from './finish.ts';
import type { ClaimedJob, OnJobEvent } from './job.ts';
import { databaseRetryMs } from './times.ts';

export interface JobContext {
  /** Aborted when the job was taken away: what is done after it cannot be written. */
  signal: AbortSignal;
  /** Notes how much is done, from 0 to 1. */
  progress(share: number): Promise<void>;
}

/**
 * Does the work of one job. Ends it by `finishJob` or `commitFinishedJob` inside the transaction of its effects. What it
 * throws becomes the job's error: a `ServiceError` as it is, anything else as `internal_error`.
 */
export type JobHandler = (job: ClaimedJob, context: JobContext) => Promise<void>;

/** One handler for each queue: a queue without one does not compile. */
export type JobHandlers = Record<QueueName, JobHandler>;

export interface RunnerOptions {
  database: Database;
  producer: QueueProducer;
  handlers: JobHandlers;
  workerId: string;
  logger: Logger;
  onJobEvent: OnJobEvent;
}

interface Run {
  job: ClaimedJob;
  abort: AbortController;
  begun: number;
  waitedMs: number;
  /** What the handler threw. */
  error?: unknown;
}

/** Runs the jobs that the queues deliver: claim, work, settle. */
export class JobRunner {
  readonly #options: RunnerOptions;
  /** A job that was taken away may run again beside its own stalled run. */
  readonly #runs = new Set<Run>();
  readonly #given = Promise.withResolvers<void>();
  readonly #stop = new AbortController();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  running(): ClaimedJob[] {
    return [...this.#runs].map(({ job }) => job);
  }

  /** Tells the handlers of these runs that they work in vain. */
  lose(jobs: ClaimedJob[]): void {
    for (const { job, abort } of this.#runs) if (jobs.includes(job)) abort.abort(new JobLostError());
  }

  /** Lets go of all runs: their handlers are aborted and no longer waited for. */
  giveUp(): void {
    this.#stop.abort();
    this.lose(this.running());
    this.#given.resolve();
  }

  /** Runs one job of the delivered job's lane, if there is one to run. Never rejects. */
  async process(token: QueueToken): Promise<void> {
    try {
      const claim = await this.#claim(token);
      if (claim !== undefined) await Promise.race([this.#run(claim), this.#given.promise]);
    } catch (error) {
      this.#options.logger.error({ err: error, job_id: token.job_id }, 'a job could not be taken or settled');
    }
  }

  async #claim(token: QueueToken): Promise<Claim | undefined> {
    const { database, workerId } = this.#options;
    return await this.#untilAnswered(() => claimJob(database.sql, token, workerId));
  }

  async #run({ job, waitedMs }: Claim): Promise<void> {
    const run = { job, abort: new AbortController(), begun: performance.now(), waitedMs };
    this.#options.onJobEvent({ queue: job.queue, event: 'claimed', ms: waitedMs });
    this.#runs.add(run);
    try {
      await traceRun(job, async () => {
        await this.#work(run);
        await this.#settle(run);
      });
    } finally {
      this.#runs.delete(run);
    }
  }

  async #work(run: Run): Promise<void> {
    const { job, abort } = run;
    const { database, handlers } = this.#options;
    const context: JobContext = {
      signal: abort.signal,
      progress: (share) => saveProgress(database.sql, job, share),
    };
    try {
      await handlers[job.queue](job, context);
    } catch (error) {
      if (!(error instanceof JobLostError)) await this.#fail(run, error);
    }
  }

  async #fail(run: Run, error: unknown): Promise<void> {
    run.error = error;
    markFailed(error);
    await this.#untilAnswered(() => failJob(this.#options.database.sql, run.job, error));
  }

  async #settle(run: Run): Promise<void> {
    const { job, begun, waitedMs } = run;
    const { status, next } = await this.#settled(run);
    const outcome = status === 'succeeded' || status === 'failed' ? status : 'lost';
    const ms = performance.now() - begun;
    this.#options.onJobEvent({ queue: job.queue, event: outcome, ms });
    logRun(this.#options.logger, job, { outcome, waitedMs, ms, error: run.error });
    if (next !== undefined) await this.#options.producer.add([next]);
  }

  async #settled(run: Run): Promise<Settled> {
    const { job } = run;
    const { sql } = this.#options.database;
    const settled = await this.#untilAnswered(() => settleJob(sql, job));
    if (settled.status !== 'running') return settled;
    await this.#fail(run, new Error('The handler ended without ending its job.'));
    return await this.#untilAnswered(() => settleJob(sql, job));
  }

  /** Asks a database that does not answer again, until it does or this process stops. */
  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (this.#stop.signal.aborted || fromDatabaseError(error) === undefined) throw error;
        this.#options.logger.warn({ err: error }, 'the database does not answer a worker');
        await sleep(databaseRetryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }
}
