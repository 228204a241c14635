import type { TermCounts } from './known-counts.ts';
import { planReading, readBy } from './plan-reading.ts';
import { maxPaired } from './reading-limits.ts';
import { type AskedKey, type LexicalQuery, termsOf } from './search-parameters.ts';
import { mostHolders, plannedParameters, type ReadingShape, shapeFor } from './search-planned.ts';

/** A search that is planned. */
export interface AskedSearch {
  query: LexicalQuery;
  keys: readonly AskedKey[];
  /** Texts of the corpus. */
  total: number;
  /** Whether pairs may be spared. */
  spares: boolean;
}

/** A search of a large corpus, planned by what was last known of it. */
export interface PlannedSearch {
  shape: ReadingShape;
  /** From $10 on. */
  values: unknown[];
  /** Whether pairs were spared: where too little is found, it takes a plan without. */
  hasSpared: boolean;
  /** Whether the plan is the one for these counts. */
  isFor(counts: TermCounts, total: number): boolean;
}

/** Undefined for a query whose texts are not found by pairs of its terms alone: where one term is enough, or there are many. */
export function planSearch(asked: AskedSearch, counts: TermCounts): PlannedSearch | undefined {
  const { query, keys, total } = asked;
  const { count, required } = termsOf(query);
  if (required !== 2 || count > maxPaired) return undefined;
  const planFor = (known: TermCounts, texts: number) =>
    planReading({
      ...asked,
      terms: countedTerms(count, keys, known),
      total: texts,
      limit: query.limit,
    });
  const plan = planFor(counts, total);
  const planned = keys.map(({ key }) => counts.of(key));
  return {
    shape: shapeFor(plan),
    values: plannedParameters(plan, planned),
    hasSpared: plan.hasSpared,
    isFor: (known, texts) => {
      if (texts === total && keys.every(({ key }, place) => known.of(key) === planned[place])) return true;
      if (keys.some(({ key }, place) => known.of(key) > mostHolders(planned[place] ?? 0))) return false;
      const isHeld = (key: number) => known.of(key) > 0;
      const right = planFor(known, texts);
      return right.hasSpared === plan.hasSpared && readBy(right, isHeld) === readBy(plan, isHeld);
    },
  };
}

function countedTerms(count: number, keys: readonly AskedKey[], counts: TermCounts) {
  const terms = Array.from({ length: count }, (): { key: number; holders: number }[] => []);
  for (const { ord, key } of keys) terms[ord]?.push({ key, holders: counts.of(key) });
  return terms;
}
