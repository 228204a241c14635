import type { Candidate } from './candidate.ts';

/** Memory hits that are asked of each Scope, and that are left of all of them (spec 20 P3). */
export const memoryHits = 16;

/**
 * As many Experiences as are tried (P4). P3 has eight of each Scope, of which the first two of all are taken: these are among
 * the first two of each, and what is found is never blank.
 */
export const experienceHits = 2;

/** First of each list, then second of each, and so on; lists that have run out are passed over (P3). */
export function takeTurns<Item>(lists: readonly (readonly Item[])[], limit: number): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const taken: Item[] = [];
  for (let turn = 0; turn < longest && taken.length < limit; turn += 1) {
    for (const list of lists) taken.push(...list.slice(turn, turn + 1));
  }
  return taken.slice(0, limit);
}

/** In which order candidates are tried: Memory and Experience in turn, each citation once (P4). */
export function orderOfTrial(memory: readonly Candidate[], experiences: readonly Candidate[]): Candidate[] {
  const tried = [memory, experiences.slice(0, experienceHits)];
  const first = new Map<string, Candidate>();
  for (const candidate of takeTurns(tried, Number.POSITIVE_INFINITY)) {
    if (!first.has(candidate.citation)) first.set(candidate.citation, candidate);
  }
  return [...first.values()];
}
