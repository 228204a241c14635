import type { Candidate } from './candidate.ts';

/** Memory hits that are read in each Scope, and that remain of all Scopes (spec 20 P3). */
export const memoryHits = 16;

/** Experiences that are tried (spec 20 P4). Two per Scope suffice: the merged top two come from each Scope's top two. */
export const experienceHits = 2;

/** The candidates of one Scope, best first. */
export interface ScopeCandidates {
  memory: Candidate[];
  experiences: Candidate[];
}

/**
 * The order in which candidates are tried: Memory and Experience alternate, and each citation comes once (spec 20 P3, P4). The first
 * Scope is the current one.
 */
export function orderCandidates(scopes: readonly ScopeCandidates[]): Candidate[] {
  const memory = interleave(
    scopes.map((scope) => scope.memory),
    memoryHits,
  );
  const experiences = interleave(
    scopes.map((scope) => scope.experiences),
    experienceHits,
  );
  const byCitation = new Map<string, Candidate>();
  for (const candidate of interleave([memory, experiences], Number.POSITIVE_INFINITY)) {
    if (!byCitation.has(candidate.citation)) byCitation.set(candidate.citation, candidate);
  }
  return [...byCitation.values()];
}

/** Round-robin merge: the first of each list, then the second of each, up to `limit`. */
export function interleave<Item>(lists: readonly (readonly Item[])[], limit: number): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const merged: Item[] = [];
  for (let index = 0; index < longest && merged.length < limit; index += 1) {
    for (const list of lists) merged.push(...list.slice(index, index + 1));
  }
  return merged.slice(0, limit);
}
