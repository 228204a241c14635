import { type QueueName, queueNames } from '@continuity/contract';
import { type Database, type Logger, newId, repeat, withinTime } from '@continuity/shared/kernel';
import {
  openConsumer,
  openProducer,
  type QueueConsumer,
  type QueueProducer,
  type QueueStore,
} from '@continuity/shared/kernel/queue';
import { queueBackgroundJob } from './background.ts';
import { Heartbeat } from './heartbeat.ts';
import type { NewJob, OnJobEvent } from './job.ts';
import { putBackOwn } from './put-back.ts';
import { type JobHandlers, JobRunner } from './run.ts';
import { queueAgain, sweep } from './sweep.ts';
import { startLimitMs, sweepMs } from './times.ts';

export interface WorkerOptions {
  database: Database;
  store: QueueStore;
  handlers: JobHandlers;
  /** The queues that this process takes from; all when left out. */
  queues?: readonly QueueName[];
  /** Jobs side by side, for each queue. */
  concurrency: number;
  /** How long running jobs may take to end after `stop`. */
  graceMs: number;
  logger: Logger;
  onJobEvent?: OnJobEvent;
}

/** A worker process: takes jobs from its queues, and looks after the lost jobs of all. */
export interface RunningWorker {
  readonly workerId: string;
  /** True while the process is heard of and takes from all its queues. */
  isReady(): boolean;
  /** Queues a job that no request waits for. False when one waits in its lane already. */
  queueBackground(job: NewJob): Promise<boolean>;
  /**
   * Takes nothing more, lets running jobs end within the grace period (or the milliseconds that are left of it), and puts
   * back what is left. Safe to call twice.
   */
  stop(graceMs?: number): Promise<void>;
}

/** Starts taking jobs. Resolves also while a store is down; `isReady` tells. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { store, logger } = options;
  const onError = (error: unknown, queue?: QueueName) =>
    logger.warn({ err: error, queue }, 'the connection to the queue store broke');
  const producer = await openProducer({ store, onError });
  const worker = new WorkerProcess(options, producer);
  await worker.start();
  return worker;
}

class WorkerProcess implements RunningWorker {
  readonly workerId = newId();
  readonly #options: Required<WorkerOptions>;
  readonly #producer: QueueProducer;
  readonly #runner: JobRunner;
  readonly #heartbeat: Heartbeat;
  readonly #consumers = new Map<QueueName, QueueConsumer>();
  #sweeps = { stop: async () => {} };
  #stopped: Promise<void> | undefined;

  constructor(options: WorkerOptions, producer: QueueProducer) {
    this.#options = { onJobEvent: () => {}, queues: queueNames, ...options };
    this.#producer = producer;
    const { database, handlers, logger, onJobEvent } = this.#options;
    const { workerId } = this;
    this.#runner = new JobRunner({ database, producer, handlers, workerId, logger, onJobEvent });
    this.#heartbeat = new Heartbeat({
      sql: database.sql,
      workerId,
      queues: () => this.#queuesTaken(),
      running: () => this.#runner.running(),
      onLost: (jobs) => this.#runner.lose(jobs),
      logger,
    });
  }

  async start(): Promise<void> {
    // Heard of before it takes a job: another process puts back the jobs of one that nobody knows.
    await this.#heartbeat.start();
    for (const queue of this.#options.queues) this.#consumers.set(queue, this.#consume(queue));
    const ready = Promise.all([...this.#consumers.values()].map((consumer) => consumer.started));
    await withinTime(ready, startLimitMs).catch((error) => this.#warn(error));
    await this.#heartbeat.beat().catch((error) => this.#warn(error));
    this.#sweeps = repeat(
      sweepMs,
      () => this.#sweep(),
      (error) => this.#options.logger.warn({ err: error }, 'the sweep for lost jobs failed'),
    );
  }

  isReady(): boolean {
    return this.#heartbeat.isBeating() && this.#queuesTaken().length === this.#consumers.size;
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
    // No new request counts on this process from here on. It is still heard of, so that nobody takes its jobs away.
    await this.#heartbeat.beat().catch((error) => this.#warn(error));
    await withinTime(consumers, graceMs).catch(() => this.#putBackRunning());
    this.#runner.giveUp();
    await Promise.all([consumers, sweeps]);
    await this.#heartbeat.stop();
    await this.#producer.close();
  }

  async #putBackRunning(): Promise<void> {
    try {
      const putBack = await putBackOwn(this.#options.database.sql, queueNames, this.workerId);
      await queueAgain({ ...this.#options, producer: this.#producer }, putBack);
    } catch (error) {
      // Others take the jobs as soon as this process is no longer heard of.
      this.#warn(error);
    }
  }

  async #sweep(): Promise<void> {
    const { database, logger, onJobEvent } = this.#options;
    const running = () => this.#runner.running();
    await sweep({ database, producer: this.#producer, workerId: this.workerId, running, logger, onJobEvent });
  }

  #consume(queue: QueueName): QueueConsumer {
    const { store, concurrency, logger } = this.#options;
    return openConsumer({
      store,
      queue,
      concurrency,
      process: (token) => this.#runner.process(token),
      onUnknown: (entryId) => logger.warn({ queue, entry_id: entryId }, 'the queue held what is no job'),
      onError: (error) => logger.warn({ err: error, queue }, 'the connection to the queue store broke'),
    });
  }

  #queuesTaken(): QueueName[] {
    return this.#options.queues.filter((queue) => this.#consumers.get(queue)?.isReady() === true);
  }

  #warn(error: unknown): void {
    this.#options.logger.warn({ err: error, worker_id: this.workerId }, 'a step of this worker failed');
  }
}
