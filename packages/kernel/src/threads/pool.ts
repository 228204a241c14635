import { availableParallelism } from 'node:os';
import type { Transferable } from 'node:worker_threads';
import { FairQueue } from '../fairness/fair-queue.ts';
import { type AnyRun, Thread, type ThreadOptions } from './thread.ts';

export interface ThreadPoolOptions extends ThreadOptions {
  /** Limit of threads, at least two: one for tenants with slow tasks, one for the others. By default one per processor, at most four. */
  size?: number;
  /** Time limit of one task, in milliseconds, from when a thread has it. */
  limitMs: number;
  /** Limit of tasks that wait for a thread. None by default. */
  maxWaiting?: number;
  /** Limit of the wait of a task for a thread, in milliseconds. None by default. */
  maxWaitMs?: number;
  /** The pool ends its threads after this time without a task, in milliseconds. Default 30 s. */
  idleMs?: number;
}

const defaultSize = Math.max(2, Math.min(4, availableParallelism()));
const defaultIdleMs = 30_000;

/** A task did not get a thread: too many tasks wait, or it waited too long. */
export class PoolBusyError extends Error {
  override name = 'PoolBusyError';
}

interface PendingTask<Run extends AnyRun> {
  task: Parameters<Run>[0];
  transfer: readonly Transferable[];
  answer: PromiseWithResolvers<ReturnType<Run>>;
  waitTimer: NodeJS.Timeout | undefined;
}

/**
 * Runs tasks of tenants in threads, each with a limit of time and of memory. The pool ends the thread of a task that exceeds a
 * limit. It starts threads when tasks need them, and replaces those that it ended. Without tasks it ends all threads, which
 * returns their memory to the system.
 *
 * Tenants take turns, one task of a tenant runs at a time, and tenants with slow tasks leave one thread to the others. A task
 * that gets no thread in time fails with `PoolBusyError`.
 *
 * `Run` is the type of the thread's declaration by `defineThread`.
 */
export class ThreadPool<Run extends AnyRun> {
  readonly #options: ThreadPoolOptions;
  readonly #size: number;
  readonly #queue: FairQueue<PendingTask<Run>>;
  readonly #idle: Thread<Run>[] = [];
  readonly #threads = new Set<Thread<Run>>();
  #isClosed = false;
  #running = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    const { size = defaultSize, maxWaiting = Number.POSITIVE_INFINITY, limitMs } = options;
    this.#size = size;
    this.#queue = new FairQueue({ concurrency: size, maxWaiting, slowMs: limitMs / 4 });
  }

  /**
   * The result of a task. Throws `PoolBusyError` for a task that did not run, `TimeLimitError` for one over its time limit, and
   * `ThreadEndedError` for one that used too much memory or threw. `transfer` lists buffers of the task that move to its thread
   * instead of being copied; the caller cannot use them any more.
   */
  run(
    tenantId: number,
    task: Parameters<Run>[0],
    transfer: readonly Transferable[] = [],
  ): Promise<ReturnType<Run>> {
    if (this.#isClosed) return Promise.reject(closedError());
    const pending: PendingTask<Run> = {
      task,
      transfer,
      answer: Promise.withResolvers<ReturnType<Run>>(),
      waitTimer: undefined,
    };
    const { maxWaitMs } = this.#options;
    if (maxWaitMs !== undefined) {
      pending.waitTimer = setTimeout(() => {
        if (this.#queue.remove(tenantId, pending)) refuse(pending, new PoolBusyError('No thread in time.'));
      }, maxWaitMs);
    }
    const dropped = this.#queue.add(tenantId, pending);
    if (dropped !== undefined) refuse(dropped, new PoolBusyError('Too many tasks wait.'));
    this.#dispatch();
    return pending.answer.promise;
  }

  /** Ends all threads and fails their tasks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    for (const pending of this.#queue.clear()) refuse(pending, closedError());
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #dispatch(): void {
    while (this.#idle.length > 0 || this.#threads.size < this.#size) {
      const next = this.#queue.take();
      if (next === undefined) return;
      void this.#work(this.#idle.pop() ?? this.#start(), next.group, next.item);
      // A spare thread, so that the next task does not wait for a start.
      if (this.#idle.length === 0 && this.#threads.size < this.#size) this.#idle.push(this.#start());
    }
  }

  async #work(
    thread: Thread<Run>,
    tenantId: number,
    { task, transfer, answer, waitTimer }: PendingTask<Run>,
  ): Promise<void> {
    clearTimeout(waitTimer);
    clearTimeout(this.#idleTimer);
    this.#running += 1;
    let start = performance.now();
    try {
      await thread.ready();
      start = performance.now();
      answer.resolve(await thread.run(task, this.#options.limitMs, transfer));
      this.#idle.push(thread);
    } catch (error) {
      answer.reject(error);
      this.#threads.delete(thread);
      await thread.end();
      // The next task finds a thread that is ready.
      if (!this.#isClosed) this.#idle.push(this.#start());
    }
    this.#running -= 1;
    this.#queue.release(tenantId, performance.now() - start);
    if (this.#isClosed) return;
    this.#dispatch();
    if (this.#running === 0) this.#endThreadsLater();
  }

  #endThreadsLater(): void {
    clearTimeout(this.#idleTimer);
    const { idleMs = defaultIdleMs } = this.#options;
    this.#idleTimer = setTimeout(() => {
      for (const thread of this.#idle.splice(0)) {
        this.#threads.delete(thread);
        void thread.end();
      }
    }, idleMs).unref();
  }

  #start(): Thread<Run> {
    const thread = new Thread<Run>(this.#options);
    this.#threads.add(thread);
    return thread;
  }
}

function refuse<Run extends AnyRun>({ answer, waitTimer }: PendingTask<Run>, error: unknown): void {
  clearTimeout(waitTimer);
  answer.reject(error);
}

function closedError(): Error {
  return new Error('The thread pool is closed.');
}
