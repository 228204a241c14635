/** Keeps the items with the best scores, and all items that equal the last of them: the caller breaks the ties. */
export class TopScores<Item extends { readonly score: number }> {
  readonly #limit: number;
  #kept: Item[] = [];
  #least: number;
  #truncateAt: number;

  /** @param least score below which no item is kept */
  constructor(limit: number, least: number) {
    this.#limit = limit;
    this.#least = least;
    this.#truncateAt = 4 * limit;
  }

  /** Keeps the item if it can be one of the best. */
  offer(item: Item): void {
    if (item.score < this.#least) return;
    this.#kept.push(item);
    if (this.#kept.length < this.#truncateAt) return;
    this.#truncate();
    // Ties survive a truncation: with a fixed threshold, each further item would sort all of them again.
    this.#truncateAt = Math.max(4 * this.#limit, 2 * this.#kept.length);
  }

  /** The kept items, in no particular order. */
  all(): Item[] {
    this.#truncate();
    return this.#kept;
  }

  #truncate(): void {
    this.#kept.sort((left, right) => right.score - left.score);
    const last = this.#kept[this.#limit - 1];
    if (last === undefined) return;
    this.#least = Math.max(this.#least, last.score);
    this.#kept = this.#kept.filter(({ score }) => score >= this.#least);
  }
}
