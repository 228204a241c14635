import { LRUCache } from 'lru-cache';

/** A queue of items of groups (tenants) that take turns. The items of a group keep their order. */
export class RoundRobinQueue<Item> {
  /** Waiting items by group, in the order of the groups' turns. */
  readonly #waiting = new Map<number, Item[]>();
  #size = 0;

  /** Items that wait, over all groups. */
  get size(): number {
    return this.#size;
  }

  /** Items of a group that wait. */
  sizeOf(group: number): number {
    return this.#waiting.get(group)?.length ?? 0;
  }

  /** Adds an item behind those of its group. */
  add(group: number, item: Item): void {
    const items = this.#waiting.get(group);
    if (items === undefined) this.#waiting.set(group, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Takes the first item of the group whose turn it is, among the groups that may run; undefined if none waits. */
  take(mayRun: (group: number) => boolean = () => true): { group: number; item: Item } | undefined {
    for (const [group, items] of this.#waiting) {
      if (!mayRun(group)) continue;
      const item = items.shift();
      if (item === undefined) return undefined;
      // The group's next turn comes after those of all others.
      this.#waiting.delete(group);
      if (items.length > 0) this.#waiting.set(group, items);
      this.#size -= 1;
      return { group, item };
    }
    return undefined;
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

  /** Removes the newest item of the group with the most items; undefined if none waits. */
  dropNewest(): Item | undefined {
    let longest: [number, Item[]] | undefined;
    for (const entry of this.#waiting)
      if (longest === undefined || entry[1].length > longest[1].length) longest = entry;
    if (longest === undefined) return undefined;
    const [group, items] = longest;
    const dropped = items.pop();
    this.#size -= 1;
    if (items.length === 0) this.#waiting.delete(group);
    return dropped;
  }

  /** Removes all waiting items. */
  clear(): Item[] {
    const items = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return items;
  }
}

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
