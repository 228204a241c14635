import { DelayedError, type Job } from 'bullmq';
import { pause, withTimeLimit } from '../process/time.ts';
import { type BullWorker, consumerWorker, type QueueStore } from './backend.ts';
import { type QueueAddress, type QueueToken, queueToken, storeNameOf } from './token.ts';

interface ConsumerOptions {
  store: QueueStore;
  queue: QueueAddress;
  /** Limit of concurrent jobs. */
  concurrency: number;
  /**
   * Runs the job of an entry. False if this process cannot run it now: the entry is requeued, so that another process can take
   * it. Never rejects: a failure is stored in the job's row.
   */
  process: (token: QueueToken) => Promise<boolean>;
  /** Receives the id of an entry that holds no token. The entry is dropped. */
  onUnknown: (entryId: string | undefined) => void;
  /** Receives the error of a lost connection. The consumer reconnects by itself. */
  onError: (error: unknown) => void;
}

/** Consumes one queue until it is closed. */
export interface QueueConsumer {
  /** Resolves at the first answer of the store, or when the consumer is closed. */
  readonly started: Promise<void>;
  /** True after the first answer of the store. */
  isReady(): boolean;
  /** Stops consuming, and resolves when running jobs have ended. Idempotent. */
  close(): Promise<void>;
}

/** Pause between two attempts to start, and of BullMQ after an error, in milliseconds. */
const retryMs = 1_000;

/** Limit of the wait for the end of a connection, in milliseconds: a store that is gone never confirms it. */
const closeLimitMs = 2_000;

/** Starts a consumer. While the store is down, it tries to connect until `close`. */
export function openConsumer(options: ConsumerOptions): QueueConsumer {
  return new BullConsumer(options);
}

class BullConsumer implements QueueConsumer {
  readonly #options: ConsumerOptions;
  readonly #stop = new AbortController();
  readonly started: Promise<void>;
  readonly #running = new Set<Promise<void>>();
  #worker: BullWorker | undefined;
  #closed: Promise<void> | undefined;
  #isReady = false;

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.started = this.#start();
  }

  /** On PostgreSQL a worker that failed to get ready never recovers, so it is replaced. */
  async #start(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const worker = this.#open();
      this.#worker = worker;
      try {
        await worker.waitUntilReady();
        this.#isReady = true;
        return;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#options.onError(error);
        await worker.close().catch(this.#options.onError);
        await pause(retryMs, this.#stop.signal);
      }
    }
  }

  #open(): BullWorker {
    const { store, queue, concurrency, onError } = this.#options;
    const tuning = { concurrency, runRetryDelay: retryMs };
    const process = (job: Job<unknown, void>, lock?: string) => this.#process(job, lock);
    const worker = consumerWorker(storeNameOf(queue), store, process, tuning, this.#stop.signal);
    worker.on('error', onError);
    return worker;
  }

  async #process(job: Job<unknown, void>, lock: string | undefined): Promise<void> {
    const token = queueToken.safeParse(job.data);
    if (!token.success) {
      this.#options.onUnknown(job.id);
      return;
    }
    const work = this.#run(job, lock, token.data);
    this.#running.add(work);
    await work.finally(() => this.#running.delete(work));
  }

  async #run(job: Job<unknown, void>, lock: string | undefined, token: QueueToken): Promise<void> {
    while (!(await this.#options.process(token))) {
      if (await this.#requeue(job, lock)) throw new DelayedError();
      // A sweep adds the entry again.
      if (this.#stop.signal.aborted) return;
      await pause(retryMs, this.#stop.signal);
    }
  }

  /** False if the store does not answer either: it may be the database that `process` needs. */
  async #requeue(job: Job<unknown, void>, lock: string | undefined): Promise<boolean> {
    try {
      await job.moveToDelayed(Date.now() + retryMs, lock);
      return true;
    } catch (error) {
      this.#options.onError(error);
      return false;
    }
  }

  isReady(): boolean {
    return this.#isReady;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#isReady = false;
    this.#stop.abort();
    const closed = Promise.all([this.#worker?.close(), this.started]);
    closed.catch(this.#options.onError);
    do {
      // A job that arrived during the close is still processed.
      await Promise.allSettled(this.#running);
      await withTimeLimit(closed, closeLimitMs).catch(this.#options.onError);
    } while (this.#running.size > 0);
  }
}
