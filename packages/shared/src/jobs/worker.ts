import { isHostQueue, type QueueName, queueNames } from '@continuity/contract';
import type { Database } from '@continuity/kernel/database';
import { repeat, withTimeLimit } from '@continuity/kernel/process';
import {
  openConsumer,
  openProducer,
  type QueueConsumer,
  type QueueProducer,
  type QueueStore,
} from '@continuity/kernel/queue';
import type { Logger } from '@continuity/kernel/telemetry';
import { newId } from '@continuity/kernel/text';
import type { NewJob, OnJobEvent } from './job.ts';
import { Heartbeat, type WorkerModels } from './live-workers.ts';
import { queueBackgroundJob } from './new-job.ts';
import { requeueOwn } from './requeue.ts';
import { JobRunner, type RunJob } from './run.ts';
import { enqueueRequeued, sweep } from './sweep.ts';
import { startLimitMs, sweepMs } from './times.ts';

interface WorkerOptions {
  database: Database;
  store: QueueStore;
  runJob: RunJob;
  /** The queues that this process consumes; default: all. */
  queues?: readonly QueueName[];
  /** The host whose jobs this process runs. Without one it takes no jobs that name a host. */
  hostId?: string | null;
  /** Limit of concurrent jobs for each queue. */
  concurrency: number;
  /** Default limit of the time that running jobs have after `stop`, in milliseconds. */
  graceMs: number;
  /** Days that a failed job is kept. */
  failedRetentionDays: number;
  /** What this process says of its models, with each heartbeat. Default: nothing. */
  models?: () => WorkerModels | null;
  logger: Logger;
  onJobEvent?: OnJobEvent;
}

/** A worker process: runs jobs of its queues, and recovers the lost jobs of all queues. */
export interface RunningWorker {
  readonly workerId: string;
  /** True while the process sends heartbeats and consumes all its queues. */
  isReady(): boolean;
  /** Queues a job that no request waits for. False when its group already has a queued background job. */
  queueBackground(job: NewJob): Promise<boolean>;
  /**
   * Stops consuming, lets running jobs end within the grace period (or within `graceMs`), and requeues the rest. Idempotent.
   */
  stop(graceMs?: number): Promise<void>;
}

/** Starts a worker. Resolves also while a store is down; `isReady` reports when it works. Throws a `StartRefusedError`. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { store, logger } = options;
  const onStoreError = (error: unknown, queue?: QueueName) =>
    logger.warn({ err: error, queue }, 'the connection to the queue store broke');
  const producer = await openProducer({ store, onError: onStoreError });
  const worker = new WorkerProcess(options, producer, onStoreError);
  await worker.start();
  return worker;
}

class WorkerProcess implements RunningWorker {
  readonly workerId = newId();
  readonly #options: Required<WorkerOptions>;
  readonly #producer: QueueProducer;
  readonly #onStoreError: (error: unknown, queue: QueueName) => void;
  readonly #runner: JobRunner;
  readonly #heartbeat: Heartbeat;
  readonly #consumers = new Map<QueueName, QueueConsumer>();
  #sweeps = { stop: async () => {} };
  #stopped: Promise<void> | undefined;

  constructor(
    options: WorkerOptions,
    producer: QueueProducer,
    onStoreError: (error: unknown, queue: QueueName) => void,
  ) {
    this.#onStoreError = onStoreError;
    const { queues = queueNames, hostId = null } = options;
    const consumed = queues.filter((queue) => hostId !== null || !isHostQueue(queue));
    this.#options = { onJobEvent: () => {}, models: () => null, ...options, queues: consumed, hostId };
    this.#producer = producer;
    const { database, runJob, logger, onJobEvent } = this.#options;
    const { workerId } = this;
    this.#runner = new JobRunner({ database, producer, runJob, workerId, logger, onJobEvent });
    this.#heartbeat = new Heartbeat({
      sql: database.sql,
      workerId,
      hostId,
      queues: () => this.#consumedQueues(),
      models: this.#options.models,
      running: () => this.#runner.running(),
      onLost: (jobs) => this.#runner.abort(jobs),
      logger,
    });
  }

  async start(): Promise<void> {
    // The first heartbeat precedes the first job: other processes requeue jobs of workers without one.
    await this.#heartbeat.start();
    for (const queue of this.#options.queues) this.#consumers.set(queue, this.#consume(queue));
    const ready = Promise.all([...this.#consumers.values()].map((consumer) => consumer.started));
    await withTimeLimit(ready, startLimitMs).catch((error) => this.#warn(error));
    await this.#heartbeat.beat().catch((error) => this.#warn(error));
    this.#sweeps = repeat(
      sweepMs,
      () => this.#sweep(),
      (error) => this.#options.logger.warn({ err: error }, 'the sweep for lost jobs failed'),
    );
  }

  isReady(): boolean {
    return this.#heartbeat.isBeating() && this.#consumedQueues().length === this.#consumers.size;
  }

  async queueBackground(job: NewJob): Promise<boolean> {
    const { database, logger } = this.#options;
    return await queueBackgroundJob({ sql: database.sql, producer: this.#producer, logger }, job);
  }

  stop(graceMs = this.#options.graceMs): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  async #stop(graceMs: number): Promise<void> {
    const sweeps = this.#sweeps.stop();
    const consumers = Promise.all([...this.#consumers.values()].map((consumer) => consumer.close()));
    // From here on no new request counts on this process. Heartbeats go on, so that its running jobs are not requeued.
    const beat = this.#heartbeat.beat().catch((error) => this.#warn(error));
    await withTimeLimit(consumers, graceMs).catch(() => this.#requeueRunning());
    this.#runner.abandon();
    await Promise.all([beat, consumers, sweeps]);
    await this.#heartbeat.stop();
    await this.#producer.close();
  }

  async #requeueRunning(): Promise<void> {
    try {
      const requeued = await requeueOwn(this.#options.database.sql, queueNames, this.workerId);
      await enqueueRequeued({ ...this.#options, producer: this.#producer }, requeued);
    } catch (error) {
      // Other workers requeue the jobs when the heartbeats of this one end.
      this.#warn(error);
    }
  }

  async #sweep(): Promise<void> {
    const { workerId } = this;
    const running = () => this.#runner.running();
    await sweep({ ...this.#options, producer: this.#producer, workerId, running });
  }

  #consume(queue: QueueName): QueueConsumer {
    const { store, hostId, concurrency, logger } = this.#options;
    const address = { queue, hostId: isHostQueue(queue) ? hostId : null };
    return openConsumer({
      store,
      queue: address,
      concurrency,
      process: (token) => this.#runner.process(address, token),
      onUnknown: (entryId) =>
        logger.warn({ queue, entry_id: entryId }, 'ignored an entry of the queue that is no job id'),
      onError: (error) => this.#onStoreError(error, queue),
    });
  }

  #consumedQueues(): QueueName[] {
    return this.#options.queues.filter((queue) => this.#consumers.get(queue)?.isReady() === true);
  }

  #warn(error: unknown): void {
    this.#options.logger.warn(
      { err: error, worker_id: this.workerId },
      'a step of the start or stop of the worker failed',
    );
  }
}
