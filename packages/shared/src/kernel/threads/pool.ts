import { Thread, type ThreadOptions } from './thread.ts';

export interface ThreadPoolOptions extends ThreadOptions {
  /** Most threads; at least two, so that no lane has all of them. */
  size: number;
}

interface Waiting<Task, Result> {
  task: Task;
  limitMs: number;
  answer: PromiseWithResolvers<Result>;
}

/**
 * Runs tasks that may be slow, or never end, in threads beside the event loop. Each has a time and a heap; the thread of one
 * that exceeds them is ended, and the task with it. Threads start with the first task that needs one.
 *
 * Tasks of one lane (a tenant) never have all threads at once, and lanes with waiting tasks take turns: whatever one of
 * them sends, another one finds a thread.
 */
export class ThreadPool<Task, Result> {
  readonly #options: ThreadPoolOptions;
  readonly #idle: Thread<Task, Result>[] = [];
  readonly #all = new Set<Thread<Task, Result>>();
  /** In the order of their turns. */
  readonly #waiting = new Map<number, Waiting<Task, Result>[]>();
  readonly #running = new Map<number, number>();
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /**
   * What the thread's module answers, within `limitMs` from when a thread has the task. Throws `TimeLimitError` for a task
   * over its time, `ThreadEndedError` for one that ended its thread.
   */
  run(lane: number, task: Task, limitMs: number): Promise<Result> {
    if (this.#isClosed) return Promise.reject(closedError());
    const answer = Promise.withResolvers<Result>();
    const waiting = this.#waiting.get(lane) ?? [];
    waiting.push({ task, limitMs, answer });
    this.#waiting.set(lane, waiting);
    this.#dispatch();
    return answer.promise;
  }

  /** Ends all threads, and the tasks in them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { answer } of [...this.#waiting.values()].flat()) answer.reject(closedError());
    this.#waiting.clear();
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  #dispatch(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      void this.#work(next.lane, next.waiting);
    }
  }

  /** The first task of the lane whose turn it is, where there is a thread for it. */
  #next(): { lane: number; waiting: Waiting<Task, Result> } | undefined {
    if (this.#idle.length === 0 && this.#all.size >= this.#options.size) return undefined;
    for (const [lane, tasks] of this.#waiting) {
      if ((this.#running.get(lane) ?? 0) >= this.#options.size - 1) continue;
      const [waiting, ...rest] = tasks;
      // Set again after the others, so that they have their turn first.
      this.#waiting.delete(lane);
      if (rest.length > 0) this.#waiting.set(lane, rest);
      if (waiting !== undefined) return { lane, waiting };
    }
    return undefined;
  }

  async #work(lane: number, { task, limitMs, answer }: Waiting<Task, Result>): Promise<void> {
    const thread = this.#idle.pop() ?? this.#start();
    this.#running.set(lane, (this.#running.get(lane) ?? 0) + 1);
    try {
      answer.resolve(await thread.run(task, limitMs));
      this.#idle.push(thread);
    } catch (error) {
      this.#all.delete(thread);
      await thread.end();
      answer.reject(error);
    }
    const running = (this.#running.get(lane) ?? 1) - 1;
    if (running === 0) this.#running.delete(lane);
    else this.#running.set(lane, running);
    if (!this.#isClosed) this.#dispatch();
  }

  #start(): Thread<Task, Result> {
    const thread = new Thread<Task, Result>(this.#options);
    this.#all.add(thread);
    return thread;
  }
}

function closedError(): Error {
  return new Error('The threads were ended.');
}
