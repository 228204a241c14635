import { once } from 'node:events';
import { setImmediate as loopTurn } from 'node:timers/promises';
import { parentPort, type Transferable, Worker } from 'node:worker_threads';
import { TimeLimitError, withTimeLimit } from '../process/time.ts';

export interface ThreadOptions {
  /** The module of the thread, which calls `defineThread`. */
  module: URL;
  /** Limit of the thread's heap, in MB. */
  heapMb: number;
}

/** A thread ended during its task: the task used too much memory, or threw. */
export class ThreadEndedError extends Error {
  override name = 'ThreadEndedError';
}

/** The message that `defineThread` sends when the module is loaded. */
export const readyMessage = 'ready';

/** Time limit of loading the module, in milliseconds. */
const startMs = 30_000;

/** What a thread does with one task. */
// biome-ignore lint/suspicious/noExplicitAny: `never` would forbid to call it.
export type AnyRun = (task: any) => unknown;

/** A thread that runs one task at a time. After a failed task it must be ended. */
export class Thread<Run extends AnyRun> {
  readonly #worker: Worker;
  readonly #ready: Promise<unknown>;
  readonly #ended: Promise<never>;

  constructor({ module, heapMb }: ThreadOptions) {
    this.#worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      // The settings of the process can hold secrets.
      env: {},
      execArgv: [],
    });
    // An idle thread must not keep the process running.
    this.#worker.unref();
    this.#ready = once(this.#worker, 'message');
    this.#ended = new Promise((_, reject) => {
      this.#worker.on('error', (cause) => reject(new ThreadEndedError('The thread ended.', { cause })));
      this.#worker.on('exit', () => reject(new ThreadEndedError('The thread ended.')));
    });
    for (const outcome of [this.#ready, this.#ended]) outcome.catch(() => undefined);
  }

  /** Resolves when the module is loaded. */
  async ready(): Promise<void> {
    try {
      await withTimeLimit(Promise.race([this.#ready, this.#ended]), startMs);
    } catch (cause) {
      throw new Error('A thread did not start.', { cause });
    }
  }

  /**
   * The result of a task. `transfer` lists buffers of the task that move to the thread instead of being copied. Throws
   * `TimeLimitError` after `limitMs`, and `ThreadEndedError`. The thread must be ready.
   */
  async run(
    task: Parameters<Run>[0],
    limitMs: number,
    transfer: readonly Transferable[] = [],
  ): Promise<ReturnType<Run>> {
    const answer = once(this.#worker, 'message').then(([message]) => message as ReturnType<Run>);
    this.#worker.postMessage(task, transfer);
    const outcome = Promise.race([answer, this.#ended]);
    try {
      return await withTimeLimit(outcome, limitMs);
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error;
      // A busy event loop runs its timers before it receives messages. An answer that has already arrived counts.
      return await Promise.race([outcome, loopTurn().then(() => Promise.reject(error))]);
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/**
 * Declares a thread, in the module of the thread: it answers tasks with `run`. A task that throws ends the thread. `transferOf` lists the
 * buffers of a result that move to the caller instead of being copied. The pool of the thread takes the types of task and result from
 * the returned function: `new ThreadPool<typeof bodyThread>({ module: … })`, with a type import of the declaration.
 */
export function defineThread<Run extends AnyRun>(
  run: Run,
  transferOf: (result: ReturnType<Run>) => readonly Transferable[] = () => [],
): Run {
  if (parentPort === null) throw new Error('Load this module as a thread of a pool.');
  const port = parentPort;
  port.on('message', (task: Parameters<Run>[0]) => {
    const result = run(task) as ReturnType<Run>;
    port.postMessage(result, transferOf(result));
  });
  port.postMessage(readyMessage);
  return run;
}

/**
 * Lists the buffer of `bytes` for the transfer to another thread. Returns an empty list if other values share the buffer, as Node
 * pools small ones: the bytes are then copied.
 */
export function transferableBuffers({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** Returns a Buffer over the same memory, for the plain `Uint8Array` of a thread message or of Prisma. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
