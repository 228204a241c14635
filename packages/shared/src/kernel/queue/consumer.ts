import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueName } from '@continuity/contract';
import type { Job } from 'bullmq';
import { withinTime } from '../time-limit.ts';
import { type BullWorker, consumerWorker, type QueueStore } from './backend.ts';
import { type QueueToken, queueToken } from './token.ts';

export interface ConsumerOptions {
  store: QueueStore;
  queue: QueueName;
  /** Jobs side by side. */
  concurrency: number;
  /** Never rejects: what went wrong is in the job's row. */
  process: (token: QueueToken) => Promise<void>;
  /** Told of data that is no token; it is dropped. */
  onUnknown: (entryId: string | undefined) => void;
  /** Told of a lost connection; it is made again by itself. */
  onError: (error: unknown) => void;
}

/** Takes jobs out of one queue until it is closed. */
export interface QueueConsumer {
  /** Resolves when the store first answered, or the consumer was closed before. */
  readonly started: Promise<void>;
  /** True from when the store first answered. */
  isReady(): boolean;
  /** Takes nothing more, and resolves when what was taken has been processed. Safe to call twice. */
  close(): Promise<void>;
}

/** Pause between two attempts to begin, and of BullMQ after an error. */
const retryMs = 1_000;

/** A store that is gone never confirms the end of a connection. */
const closeLimitMs = 2_000;

export function openConsumer(options: ConsumerOptions): QueueConsumer {
  return new BullConsumer(options);
}

class BullConsumer implements QueueConsumer {
  readonly #options: ConsumerOptions;
  readonly #stop = new AbortController();
  readonly started: Promise<void>;
  readonly #inHand = new Set<Promise<void>>();
  #worker: BullWorker | undefined;
  #closed: Promise<void> | undefined;
  #isReady = false;

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.started = this.#start();
  }

  /** On PostgreSQL a worker that once failed to get ready never does, so that another one is made. */
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
        await sleep(retryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  #open(): BullWorker {
    const { store, queue, concurrency, onError } = this.#options;
    const tuning = { concurrency, runRetryDelay: retryMs };
    const process = (job: Job<unknown, void>) => this.#process(job);
    const worker = consumerWorker(queue, store, process, tuning, this.#stop.signal);
    worker.on('error', onError);
    return worker;
  }

  async #process(job: Job<unknown, void>): Promise<void> {
    const token = queueToken.safeParse(job.data);
    if (!token.success) {
      this.#options.onUnknown(job.id);
      return;
    }
    const work = this.#options.process(token.data);
    this.#inHand.add(work);
    await work.finally(() => this.#inHand.delete(work));
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
      // A job that was on its way while the worker was told to close is still processed.
      await Promise.allSettled(this.#inHand);
      await withinTime(closed, closeLimitMs).catch(this.#options.onError);
    } while (this.#inHand.size > 0);
  }
}
