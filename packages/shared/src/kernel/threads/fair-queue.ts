import { LRUCache } from 'lru-cache';
import { RoundRobinQueue } from '../round-robin-queue.ts';

export interface FairQueueOptions {
  /** Limit of items that run at a time. */
  concurrency: number;
  /** Limit of items that wait, over all groups. */
  maxWaiting: number;
  /** A group is slow for a minute after an item of it ran longer than this, in milliseconds. */
  slowMs: number;
}

const slowForMs = 60_000;

/** Groups that are remembered as slow. */
const maxSlowGroups = 1_000;

/**
 * A queue of items that belong to groups (tenants). Groups take turns, one item of a group runs at a time, and slow groups
 * together leave one place free. So a group whose items are fast waits for other fast groups only.
 */
export class FairQueue<Item> {
  readonly #options: FairQueueOptions;
  readonly #waiting = new RoundRobinQueue<Item>();
  readonly #running = new Set<number>();
  readonly #slow = new LRUCache<number, true>({ max: maxSlowGroups, ttl: slowForMs });

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Adds an item. In a full queue the longest group loses its newest item, which is returned. */
  add(group: number, item: Item): Item | undefined {
    this.#waiting.add(group, item);
    return this.#waiting.size > this.#options.maxWaiting ? this.#waiting.dropNewest() : undefined;
  }

  /** Takes the item whose turn it is; undefined if none may run now. `release` must follow when it has ended. */
  take(): { group: number; item: Item } | undefined {
    const taken = this.#waiting.take((group) => this.#mayRun(group));
    if (taken !== undefined) this.#running.add(taken.group);
    return taken;
  }

  /** The item of the group that was taken has ended. */
  release(group: number, durationMs: number): void {
    this.#running.delete(group);
    if (durationMs > this.#options.slowMs) this.#slow.set(group, true);
  }

  /** Removes a waiting item; false if it is not waiting. */
  remove(group: number, item: Item): boolean {
    return this.#waiting.remove(group, item);
  }

  /** Removes all waiting items. */
  clear(): Item[] {
    return this.#waiting.clear();
  }

  #mayRun(group: number): boolean {
    if (this.#running.has(group) || this.#running.size >= this.#options.concurrency) return false;
    if (!this.#slow.has(group)) return true;
    const runningSlow = [...this.#running].filter((one) => this.#slow.has(one)).length;
    return runningSlow < this.#options.concurrency - 1;
  }
}
