import { LRUCache } from 'lru-cache';

const maxKept = 100_000;

/** What an index term is taken for of which nothing is known: nearly all that this process has not met are rare. */
const unknownHolders = 1;

/** How many texts hold an index term. */
export type TermCounts = Pick<KnownCounts, 'of'>;

/** By these there is nothing to read: what is planned by them only learns the counts. */
export const nothingHeld: TermCounts = { of: () => 0 };

/**
 * How many texts held an index term when this process last searched for it. Only saves statements: a reading that was planned by
 * them is checked against the counts of its own moment, and is made again where these ask for another one. A term is of one
 * Scope, so that it needs no more than itself to be known by.
 */
export class KnownCounts {
  readonly #holders = new LRUCache<number, number>({ max: maxKept });

  /** How many of a query's terms have a key that is not known. */
  unknownTerms(keys: readonly { ord: number; key: number }[]): number {
    return new Set(keys.filter(({ key }) => !this.#holders.has(key)).map(({ ord }) => ord)).size;
  }

  of(key: number): number {
    return this.#holders.get(key) ?? unknownHolders;
  }

  note(key: number, holders: number): void {
    this.#holders.set(key, holders);
  }
}
