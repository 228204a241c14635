import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { withinTime } from '../time-limit.ts';

export interface ThreadOptions {
  /** The module of the thread: it calls `serveTasks`. */
  module: URL;
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

/** One thread, for one task at a time. After a task has failed it is no longer usable. */
export class Thread<Task, Result> {
  readonly #worker: Worker;
  readonly #ready: Promise<unknown>;
  readonly #ended: Promise<never>;

  constructor({ module, heapMb }: ThreadOptions) {
    this.#worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
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

  /** `limitMs`: what the task may take, from when the thread has it. */
  async run(task: Task, limitMs: number): Promise<Result> {
    await this.#started();
    const answer = once(this.#worker, 'message').then(([message]) => message as Result);
    this.#worker.postMessage(task);
    return withinTime(Promise.race([answer, this.#ended]), limitMs);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Throws another error for a thread that never got to its first task: that is no fault of the task. */
  async #started(): Promise<void> {
    try {
      await withinTime(Promise.race([this.#ready, this.#ended]), startMs);
    } catch (cause) {
      throw new Error('A thread did not start.', { cause });
    }
  }
}
