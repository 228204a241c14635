import { LRUCache } from 'lru-cache';

export interface FairQueueOptions {
  /** Most items that run at a time. */
  concurrency: number;
  /** Most items that wait, over all groups. */
  maxWaiting: number;
  /** A group is slow for a minute after an item of it ran longer than this, in milliseconds. */
  slowMs: number;
}

const slowForMs = 60_000;

/** Groups that are remembered as slow. */
const maxSlowGroups = 10_000;

/**
 * A queue of items that belong to groups (tenants). Groups take turns, one item of a group runs at a time, and slow groups
 * together leave one place free. So a group whose items are fast waits for other fast groups only.
 */
export class FairQueue<Item> {
  readonly #options: FairQueueOptions;
  /** Waiting items by group, in the order of the groups' turns. */
  readonly #waiting = new Map<number, Item[]>();
  readonly #running = new Set<number>();
  readonly #slow = new LRUCache<number, true>({ max: maxSlowGroups, ttl: slowForMs });
  #size = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Adds an item. In a full queue the longest group loses its newest item, which is returned. */
  add(group: number, item: Item): Item | undefined {
    const items = this.#waiting.get(group) ?? [];
    items.push(item);
    this.#waiting.set(group, items);
    this.#size += 1;
    return this.#size > this.#options.maxWaiting ? this.#dropNewest() : undefined;
  }

  /** Takes the item whose turn it is; undefined if none may run now. `release` must follow when it has ended. */
  take(): { group: number; item: Item } | undefined {
    const group = [...this.#waiting.keys()].find((one) => this.#mayRun(one));
    const items = group === undefined ? undefined : this.#waiting.get(group);
    const item = items?.shift();
    if (group === undefined || items === undefined || item === undefined) return undefined;
    // The group's next turn comes after those of all others.
    this.#waiting.delete(group);
    if (items.length > 0) this.#waiting.set(group, items);
    this.#size -= 1;
    this.#running.add(group);
    return { group, item };
  }

  /** The item of the group that was taken has ended. */
  release(group: number, durationMs: number): void {
    this.#running.delete(group);
    if (durationMs > this.#options.slowMs) this.#slow.set(group, true);
  }

  /** Removes a waiting item; false if it is not waiting. */
  remove(group: number, item: Item): boolean {
    const items = this.#waiting.get(group) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return false;
    items.splice(index, 1);
    this.#size -= 1;
    if (items.length === 0) this.#waiting.delete(group);
    return true;
  }

  /** Removes all waiting items. */
  clear(): Item[] {
    const items = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return items;
  }

  #mayRun(group: number): boolean {
    if (this.#running.has(group) || this.#running.size >= this.#options.concurrency) return false;
    if (!this.#slow.has(group)) return true;
    const runningSlow = [...this.#running].filter((one) => this.#slow.has(one)).length;
    return runningSlow < this.#options.concurrency - 1;
  }

  #dropNewest(): Item | undefined {
    const [group, items] = [...this.#waiting].reduce((longest, one) =>
      one[1].length > longest[1].length ? one : longest,
    );
    const dropped = items.at(-1);
    if (dropped !== undefined) this.remove(group, dropped);
    return dropped;
  }
}
