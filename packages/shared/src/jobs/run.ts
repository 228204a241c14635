import {
  type JobName,
  type JobNameOf,
  type JobPayload,
  jobCatalog,
  type QueueName,
} from '@continuity/contract';
import type { Database, Epoch, TenantId } from '@continuity/kernel/database';
import { fromDatabaseError, isTenantMoved } from '@continuity/kernel/errors';
import { runInEpoch } from '@continuity/kernel/fairness';
import { pause, retryUntilStopped } from '@continuity/kernel/process';
import {
  batched,
  type QueueAddress,
  type QueueProducer,
  type QueueToken,
  storeNameOf,
} from '@continuity/kernel/queue';
import { type Logger, markFailed } from '@continuity/kernel/telemetry';
import { type Claim, claimJob } from './claim.ts';
import { failJob, JobLostError, progressSaver, type Settled, settleJobs } from './finish.ts';
import type { ClaimedJob, OnJobEvent } from './job.ts';
import { logRun, traceRun } from './job-trace.ts';
import { RunGate } from './run-gate.ts';
import { databaseBackoff, firstRerunMs, outageMs, settleBatch } from './times.ts';

export interface JobContext {
  /** Aborted when the job is requeued or cancelled: its writes would fail from then on. */
  signal: AbortSignal;
  /** Stores the share of the work that is done, from 0 to 1; at most once a second, so that a handler may call it for each step. */
  progress(share: number): Promise<void>;
}

/** Runs one claimed job to its end. `dispatchJobs` makes it from a table of handlers. */
export type RunJob = (job: ClaimedJob, context: JobContext) => Promise<void>;

interface RunnerOptions {
  database: Database;
  producer: QueueProducer;
  runJob: RunJob;
  workerId: string;
  logger: Logger;
  onJobEvent: OnJobEvent;
}

interface Run {
  job: ClaimedJob;
  /** The epoch of the database in which the job was claimed. */
  epoch: Epoch;
  abort: AbortController;
  begun: number;
  waitedMs: number;
  /** Set if the server refuses the writes of the tenant, which moves to another one: the job runs there, or here again after a while. */
  isRefused?: boolean;
  /** The error of the handler. */
  error?: unknown;
}

/** Runs the jobs that the queues deliver: claim, run, settle. */
export class JobRunner {
  readonly #options: RunnerOptions;
  /** A requeued job may run a second time beside its own stalled run. */
  readonly #runs = new Set<Run>();
  readonly #gate = new RunGate();
  /** Of the last claim in each queue, by its name in the store. */
  readonly #lastTenants = new Map<string, TenantId>();
  readonly #abandoned = Promise.withResolvers<true>();
  readonly #stop = new AbortController();

  /** Jobs that end during a settlement share the next one. */
  readonly #settleJob: (job: ClaimedJob) => Promise<Settled>;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#settleJob = batched(settleBatch, (jobs) => settleJobs(options.database.sql, jobs));
  }

  running(): ClaimedJob[] {
    return [...this.#runs].map(({ job }) => job);
  }

  /** Aborts the runs of jobs that were requeued or cancelled. */
  abort(jobs: ClaimedJob[]): void {
    for (const { job, abort } of this.#runs) if (jobs.includes(job)) abort.abort(new JobLostError());
  }

  /** Aborts all runs without waiting for their handlers. */
  abandon(): void {
    this.#stop.abort();
    this.abort(this.running());
    this.#abandoned.resolve(true);
  }

  /**
   * Runs the job whose turn it is in the queue, if any. False if the database does not answer, so that this process can claim no
   * job. Never rejects.
   */
  async process(queue: QueueAddress, token: QueueToken): Promise<boolean> {
    return await Promise.race([this.#process(queue, token), this.#abandoned.promise]);
  }

  async #process(queue: QueueAddress, token: QueueToken): Promise<boolean> {
    const warn = (error: unknown) => {
      this.#options.logger.error({ err: error, job_id: token.job_id }, 'claiming or ending a job failed');
      return undefined;
    };
    await this.#gate.enter();
    const { current } = this.#options.database.epochs;
    const claim = await this.#claim(queue, token).catch(warn);
    if (claim !== undefined && claim !== 'failed') await this.#run(claim, current).catch(warn);
    else this.#gate.leave();
    return claim !== 'failed';
  }

  /** `failed` if the database does not answer. A claim that it has committed all the same is requeued by a sweep. */
  async #claim(queue: QueueAddress, token: QueueToken): Promise<Claim | 'failed' | undefined> {
    const { database, workerId, logger } = this.#options;
    const name = storeNameOf(queue);
    // The process was abandoned while this entry waited for a run that had it alone.
    if (this.#stop.signal.aborted) return undefined;
    try {
      const lastTenant = this.#lastTenants.get(name);
      const claim = await claimJob(database.sql, { queue, token, workerId, lastTenant });
      if (claim !== undefined) this.#lastTenants.set(name, claim.job.tenantId);
      return claim;
    } catch (error) {
      if (this.#stop.signal.aborted || fromDatabaseError(error) === undefined) throw error;
      logger.warn({ err: error }, 'the database is unavailable; the worker claims no job');
      return 'failed';
    }
  }

  async #run({ job, isSuspect, waitedMs }: Claim, epoch: Epoch): Promise<void> {
    const run = { job, epoch, abort: new AbortController(), begun: performance.now(), waitedMs };
    this.#options.onJobEvent({ queue: job.queue, event: 'claimed', ms: waitedMs });
    const runToEnd = () =>
      traceRun(job, async () => {
        await this.#work(run);
        await this.#settle(run);
      });
    this.#runs.add(run);
    try {
      await this.#gate[isSuspect ? 'runAlone' : 'share'](runToEnd, run.abort.signal);
    } finally {
      this.#runs.delete(run);
    }
  }

  async #work(run: Run): Promise<void> {
    const { job, abort } = run;
    const { database, runJob } = this.#options;
    const context: JobContext = {
      signal: abort.signal,
      progress: progressSaver(database.sql, job),
    };
    try {
      // The job may have been cancelled while it waited to run alone.
      abort.signal.throwIfAborted();
      await this.#rerunInOutage(run, () => runJob(job, context));
    } catch (error) {
      if (!(error instanceof JobLostError)) await this.#fail(run, error);
    }
  }

  /**
   * Runs a handler, and runs it again if the database was unavailable, so that a short outage does not fail the job. The commit
   * of its effects also ends the job, so a run after a commit whose answer was lost writes nothing. Each run looks up its ids in one epoch
   * of the database. If the server has lost the claim, the next heartbeat aborts the run.
   */
  async #rerunInOutage(run: Run, runHandler: () => Promise<void>): Promise<void> {
    const { job, abort } = run;
    const { signal } = abort;
    const until = performance.now() + outageMs;
    for (let pauseMs = firstRerunMs; ; pauseMs *= 2) {
      try {
        return await runInEpoch(run.epoch, runHandler);
      } catch (error) {
        if (isTenantMoved(error)) {
          run.isRefused = true;
          throw new JobLostError({ cause: error });
        }
        const isOver = signal.aborted || performance.now() + pauseMs > until;
        if (isOver || fromDatabaseError(error) === undefined) throw error;
        this.#options.logger.warn(
          { err: error },
          'the database is unavailable; the worker runs the job again',
        );
        await pause(pauseMs, signal);
        run.epoch = this.#options.database.epochs.current;
        if (signal.aborted) throw new JobLostError({ cause: error });
        this.#options.onJobEvent({ queue: job.queue, event: 'rerun', ms: 0 });
      }
    }
  }

  async #fail(run: Run, error: unknown): Promise<void> {
    run.error = error;
    markFailed(error);
    await this.#retry(() => failJob(this.#options.database.sql, run.job, error));
  }

  async #settle(run: Run): Promise<void> {
    const { job, begun, waitedMs } = run;
    const { status, next } = await this.#settled(run);
    const outcome = status === null || status === 'queued' || status === 'running' ? 'lost' : status;
    const ms = performance.now() - begun;
    this.#options.onJobEvent({ queue: job.queue, event: outcome, ms });
    logRun(this.#options.logger, job, { outcome, waitedMs, ms, error: run.error });
    if (next !== undefined) await this.#options.producer.add([next]);
  }

  async #settled(run: Run): Promise<Settled> {
    const settled = await this.#retry(() => this.#settleJob(run.job));
    if (settled.status !== 'running' || run.isRefused === true) return settled;
    await this.#fail(run, new Error('The handler ended without ending its job.'));
    return await this.#retry(() => this.#settleJob(run.job));
  }

  /** Retries while the database is unavailable. Rejects with the last failure once this process stops. */
  async #retry<T>(ask: () => Promise<T>): Promise<T> {
    let failure: unknown;
    const attempt = async () => {
      try {
        return { value: await ask() };
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    const answer = await retryUntilStopped(attempt, {
      backoff: databaseBackoff,
      stop: this.#stop.signal,
      onFailure: (error) => {
        if (fromDatabaseError(error) === undefined) throw error;
        this.#options.logger.warn({ err: error }, 'the database is unavailable; the worker retries');
      },
    });
    if (answer === undefined) throw failure;
    return answer.value;
  }
}

/**
 * Does the work of one kind of job. Ends it by `finishJob` or `commitFinishedJob` inside the transaction of its effects. A
 * thrown `ServiceError` becomes the job's error as it is, anything else `internal_error`.
 */
export type JobHandler<Name extends JobName = JobName> = (
  job: ClaimedJob,
  payload: JobPayload<Name>,
  context: JobContext,
) => Promise<void>;

/** One handler for each job of some queues: a missing one does not compile. */
export type JobHandlers<Queue extends QueueName> = { [Name in JobNameOf<Queue>]: JobHandler<Name> };

/** Runs each job by the handler of its name. A job of a newer release, or one with an unreadable payload, fails. */
export function dispatchJobs<Queue extends QueueName>(handlers: JobHandlers<Queue>): RunJob {
  const byName = new Map(Object.entries(handlers) as [JobName, JobHandler][]);
  return async (job, context) => {
    const name = job.operation as JobName;
    const handler = byName.get(name);
    if (handler === undefined) throw new Error(`No handler runs the job ${name}.`);
    await handler(job, jobCatalog[name].payload.parse(job.request) as JobPayload, context);
  };
}
