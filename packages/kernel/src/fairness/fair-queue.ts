import { LRUCache } from 'lru-cache';
import { RoundRobinQueue } from './round-robin-queue.ts';

interface FairQueueOptions {
  /** Limit of items that run at a time. */
  concurrency: number;
  /** Limit of items that wait, over all groups. */
  maxWaiting: number;
  /** A group is slow for a minute after an item of it ran longer than this, in milliseconds. */
  slowMs: number;
}

/** Time for which a group counts as slow, in milliseconds. */
const slowForMs = 60_000;

/** Limit of the groups that the queue remembers as slow. */
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

  /** Takes the next item; undefined if none may run now. Call `release` when the item has ended. */
  take(): { group: number; item: Item } | undefined {
    const taken = this.#waiting.take((group) => this.#mayRun(group));
    if (taken !== undefined) this.#running.add(taken.group);
    return taken;
  }

  /** Reports that the item which `take` gave of a group has ended, after `durationMs`. */
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
