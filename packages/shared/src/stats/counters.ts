/** Which Scope a counter is of; null for the sum over all that are not listed. */
export type Of = number | null;

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
    const bytesOf = (values: readonly unknown[]) =>
      values.reduce<number>((sum, value) => sum + 8 + (typeof value === 'string' ? 24 + value.length : 0), 0);
    return this.#columns.reduce((sum, column) => sum + bytesOf(column), 0);
  }

  /** With those of some Scopes replaced by `fresh`, which are of no other. */
  replaced(scopeKeys: readonly number[], fresh: Counters<Counter>): Counters<Counter> {
    const gone = new Set<Of>(scopeKeys);
    const scopes = (this.#columns[0] ?? []) as Of[];
    const kept: number[] = [];
    for (let place = 0; place < this.count; place += 1) {
      if (!gone.has(scopes[place] ?? null)) kept.push(place);
    }
    return new Counters(
      this.#columns.map((column, number) =>
        kept.map((place) => column[place]).concat(fresh.#columns[number] ?? []),
      ),
    );
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
