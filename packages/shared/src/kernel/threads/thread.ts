import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { withinTime } from '../time-limit.ts';

export interface ThreadOptions {
  /** The module of the thread: it calls `serveTasks`. */
  module: URL;
  /** What one task may take, from when the thread has it. */
  limitMs: number;
  /** What the thread may keep in memory. */
  heapMb: number;
}

/** A thread ended under its task: the task used more memory than there is for it, or broke the thread. */
export class ThreadEndedError extends Error {
  override name = 'ThreadEndedError';
}

/** For `serveTasks`: what a thread says when its module is loaded. */
export const threadIsReady = 'ready';

/** Loading the module; only a machine that is out of breath takes as long. */
const startMs = 30_000;

/** Recursion in it is as deep as what callers send, with the bounds that the contract sets. */
const stackSizeMb = 4;

/** One thread, for one task at a time. After a task has failed it is no longer usable. */
export class Thread<Task, Result> {
  readonly #worker: Worker;
  readonly #limitMs: number;
  readonly #ready: Promise<unknown>;
  readonly #ended: Promise<never>;

  constructor({ module, limitMs, heapMb }: ThreadOptions) {
    this.#limitMs = limitMs;
    this.#worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb },
      // Nothing that it runs has any business with the settings of the process.
      env: {},
      execArgv: [],
    });
    // A server holds its process by its socket; a thread with nothing to do must not.
    this.#worker.unref();
    this.#ready = once(this.#worker, 'message');
    this.#ended = new Promise((_, reject) => {
      this.#worker.on('error', (cause) => reject(new ThreadEndedError('The thread ended.', { cause })));
      this.#worker.on('exit', () => reject(new ThreadEndedError('The thread ended.')));
    });
    for (const outcome of [this.#ready, this.#ended]) outcome.catch(() => undefined);
  }

  async run(task: Task): Promise<Result> {
    await withinTime(Promise.race([this.#ready, this.#ended]), startMs);
    const answer = once(this.#worker, 'message').then(([message]) => message as Result);
    this.#worker.postMessage(task);
    return withinTime(Promise.race([answer, this.#ended]), this.#limitMs);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
