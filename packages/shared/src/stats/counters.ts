import { setImmediate as nextTurn } from 'node:timers/promises';

/** Which Scope a counter is of; null for the sum over all that are not listed. */
export type Of = number | null;

/** Counters of which each column is a turn of the event loop. */
const leastForTurns = 10_000;

/** Counters as tuples, kept column by column, the one that says whose they are first. */
export class Counters<Counter extends [Of, ...unknown[]]> {
  readonly count: number;
  readonly #columns: readonly unknown[][];
  readonly #tuple: unknown[];

  /** @param columns equally long */
  constructor(columns: readonly unknown[][]) {
    this.count = columns[0]?.length ?? 0;
    this.#columns = columns;
    this.#tuple = columns.map(() => undefined);
  }

  /** The counter at a place, until the next one is asked for: there are thousands, and each is only added to something. */
  at(place: number): Counter {
    for (let column = 0; column < this.#tuple.length; column += 1) {
      this.#tuple[column] = this.#columns[column]?.[place];
    }
    return this.#tuple as Counter;
  }

  /** About how much memory they take. */
  get bytes(): number {
    // A column is names or numbers, and numbers need not be looked at.
    const ofNames = this.#columns.filter(([first]) => typeof first === 'string') as string[][];
    const bytesOf = (names: readonly string[]) => names.reduce((sum, { length }) => sum + 24 + length, 0);
    return ofNames.reduce((sum, names) => sum + bytesOf(names), 8 * this.count * this.#columns.length);
  }

  /** With those of some Scopes replaced by `fresh`, which are of no other. Long columns are copied in a turn each. */
  async replaced(scopeKeys: readonly number[], fresh: Counters<Counter>): Promise<Counters<Counter>> {
    const gone = new Set<Of>(scopeKeys);
    const scopes = (this.#columns[0] ?? []) as Of[];
    const kept: number[] = [];
    for (let place = 0; place < this.count; place += 1) {
      if (!gone.has(scopes[place] ?? null)) kept.push(place);
    }
    const columns: unknown[][] = [];
    for (const [number, column] of this.#columns.entries()) {
      if (this.count >= leastForTurns) await nextTurn();
      columns.push(kept.map((place) => column[place]).concat(fresh.#columns[number] ?? []));
    }
    return new Counters(columns);
  }

  /** The places of each Scope's counters. */
  placesByScope(): ReadonlyMap<Of, readonly number[]> {
    const places = new Map<Of, number[]>();
    const scopes = (this.#columns[0] ?? []) as Of[];
    for (let place = 0; place < this.count; place += 1) {
      const of = scopes[place] ?? null;
      const known = places.get(of);
      if (known === undefined) places.set(of, [place]);
      else known.push(place);
    }
    return places;
  }
}
