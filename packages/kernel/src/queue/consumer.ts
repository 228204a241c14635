import { DelayedError, type Job } from 'bullmq';
import { type Backoff, RetryDelays, retryUntilStopped } from '../process/repeat.ts';
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

/** Pause of BullMQ after a lost connection, and delay of a requeued entry, in milliseconds. */
const retryMs = 1_000;

/** Pauses after consecutive failures: of the start, of the store, and of the database while an entry cannot be requeued either. */
const retryBackoff: Backoff = { firstMs: retryMs, longestMs: 5_000 };

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
    const attempt = async () => {
      const worker = this.#open();
      this.#worker = worker;
      try {
        await worker.waitUntilReady();
      } catch (error) {
        await worker.close().catch(this.#options.onError);
        throw error;
      }
      this.#isReady = true;
    };
    await retryUntilStopped(attempt, {
      backoff: retryBackoff,
      stop: this.#stop.signal,
      onFailure: this.#options.onError,
    });
  }

  #open(): BullWorker {
    const { store, queue, concurrency } = this.#options;
    const tuning = { concurrency, runRetryDelay: retryMs };
    const process = (job: Job<unknown, void>, lock?: string) => this.#process(job, lock);
    const worker = consumerWorker(storeNameOf(queue), store, process, tuning, this.#stop.signal);
    const delays = new RetryDelays(retryBackoff);
    worker.on('error', (error) => {
      this.#options.onError(error);
      if (!isConnectionLost(error)) void this.#rest(worker, delays);
    });
    return worker;
  }

  /**
   * Pauses the worker after an answer that refuses, such as that of a node which does not have the keys. BullMQ itself waits only for lost
   * connections, and would fetch again at once.
   */
  async #rest(worker: BullWorker, delays: RetryDelays): Promise<void> {
    if (worker.isPaused() || this.#stop.signal.aborted) return;
    await worker.pause(true);
    await pause(delays.next(), this.#stop.signal);
    if (!this.#stop.signal.aborted) await worker.resume();
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
    const delays = new RetryDelays(retryBackoff);
    while (!(await this.#options.process(token))) {
      if (await this.#requeue(job, lock)) throw new DelayedError();
      // A sweep adds the entry again.
      if (this.#stop.signal.aborted) return;
      await pause(delays.next(), this.#stop.signal);
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

/** True for an error after which BullMQ itself waits `runRetryDelay`. It fetches again at once after any other one. */
function isConnectionLost({ message }: Error): boolean {
  return message.includes('ECONNREFUSED') || message.startsWith('Connection is closed');
}
