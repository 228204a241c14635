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
