import type { Sql } from '@continuity/shared/kernel';
import { type ByScope, byScope, type Sum, wholeOf } from './by-scope.ts';
import { type CounterQuery, type Counting, countingOf, readCounters } from './counter-query.ts';
import type { Counters, Of } from './counters.ts';
import type { CounterTable, NewerScopes } from './newer.ts';
import { bytesOfTexts, type Text } from './text-store.ts';

/** A part of the answer: where its counters come from, and how they are added up. */
interface PartSource<Counter extends [Of, ...unknown[]]> {
  /** Written by every write that changes counters of the part. */
  table: CounterTable;
  read(sql: Sql, counting: Counting): Promise<Counters<Counter>>;
  /** Throws where an answer does not go through so many counters; `read` does, too. */
  requireFew?(count: number): void;
  open(): Sum<Counter>;
}

/** Reads a part of the answer. */
export type Part = (sql: Sql, counting: Counting) => Promise<ReadPart>;

/** A part of the answer of one moment. */
export interface ReadPart extends ByScope {
  keep(): KeptPart;
}

/** What is kept of a part, to be read again by what has changed. Never changes itself. */
export interface KeptPart {
  /** What is told of all Scopes. */
  readonly whole: Buffer;
  /** About how much memory it takes. */
  readonly bytes: number;
  again(sql: Sql, tenantId: number, newer: NewerScopes): Promise<PartAgain>;
}

/** A part that was read again. */
interface PartAgain {
  part: KeptPart;
  /** What is told of the Scopes that may have changed, by their keys. */
  changed: ReadonlyMap<number, Text>;
}

export function partOf<Counter extends [Of, ...unknown[]]>(source: PartSource<Counter>): Part {
  return async (sql, counting) => {
    const counters = await source.read(sql, counting);
    const read = await byScope(counters, source.open);
    return { ...read, keep: () => keptPart(source, counters, read.whole) };
  };
}

/** A part whose counters come by a query, with the values of it from $4 on. */
export function partOfQuery<Counter extends [Of, ...unknown[]]>(
  query: CounterQuery,
  open: () => Sum<Counter>,
  more: unknown[] = [],
): Part {
  return partOf({
    table: query.table,
    read: (sql, counting) => readCounters(sql, query, counting, more),
    open,
  });
}

const nothingChanged: PartAgain['changed'] = new Map();

function keptPart<Counter extends [Of, ...unknown[]]>(
  source: PartSource<Counter>,
  counters: Counters<Counter>,
  told: Text,
): KeptPart {
  const whole = bytesOfTexts([told]);
  const part: KeptPart = {
    whole,
    bytes: whole.length + counters.bytes,
    again: async (sql, tenantId, newer) => {
      const scopeKeys = newer[source.table];
      if (scopeKeys.length === 0) return { part, changed: nothingChanged };
      const fresh = await source.read(sql, countingOf(tenantId, scopeKeys, []));
      const all = await counters.replaced(scopeKeys, fresh);
      source.requireFew?.(all.count);
      const { of } = await byScope(fresh, source.open);
      // Added up anew: what is unknown cannot be taken out of a sum again.
      const sum = await wholeOf(all, source.open);
      const changed = new Map(scopeKeys.map((scopeKey) => [scopeKey, of(scopeKey)]));
      return { part: keptPart(source, all, sum), changed };
    },
  };
  return part;
}

/**
 * Reads parts of the answer, which are sent together: each is put into words while the server still works on the next. So the
 * last of them, which has most words, comes first.
 */
export async function lastFirst<P, R>(parts: readonly P[], read: (part: P) => Promise<R>): Promise<R[]> {
  const reads = await Promise.all(parts.toReversed().map(read));
  return reads.reverse();
}
