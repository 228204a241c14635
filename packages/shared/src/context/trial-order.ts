import type { ContextHit } from './context-hit.ts';
import { mergeEqualTexts } from './equal-texts.ts';

/** Memory hits that are read in each Scope, and that remain of all Scopes, where the context has no more items (spec 20 P3). */
const minMemoryHits = 16;

/** Memory hits for a context of so many items (spec 25 Q11). */
export function memoryHitsFor(maxItems: number): number {
  return Math.max(minMemoryHits, maxItems);
}

/** Experiences that are tried (spec 20 P4). Two per Scope suffice: the merged top two come from each Scope's top two. */
export const triedExperiences = 2;

/** Experiences of each Scope, and that remain of all Scopes (spec 20 P3), where those that are not tried are asked for too. */
export const maxExperiences = 8;

/** The hits of one Scope, best first. */
export interface RankedHits {
  memory: ContextHit[];
  experiences: ContextHit[];
}

/**
 * The order in which hits are tried: Memory and Experience alternate, and each text comes once (spec 20 P3, P4, spec 25 Q10). The
 * first Scope is the current one.
 */
export function orderHits(scopes: readonly RankedHits[], memoryHits: number): ContextHit[] {
  const memory = mergeLists(
    scopes.map((scope) => scope.memory),
    memoryHits,
  );
  const experiences = mergeLists(
    scopes.map((scope) => scope.experiences.slice(0, triedExperiences)),
    triedExperiences,
  );
  return mergeEqualTexts(interleave([memory, experiences], Number.POSITIVE_INFINITY));
}

/** The Experiences behind those that are tried (spec 20 P4), without texts that are tried. */
export function untriedExperiences(
  scopes: readonly RankedHits[],
  tried: readonly ContextHit[],
): ContextHit[] {
  const merged = mergeLists(
    scopes.map((scope) => scope.experiences),
    maxExperiences,
  );
  const behind = mergeEqualTexts([...tried, ...merged]).slice(tried.length);
  const count = tried.filter(({ kind }) => kind === 'experience').length;
  return behind.slice(0, maxExperiences - count);
}

/** Merges the lists of one family. Twice `limit` are compared, so that the work has a bound and equal texts displace no other. */
function mergeLists(lists: readonly (readonly ContextHit[])[], limit: number): ContextHit[] {
  return mergeEqualTexts(interleave(lists, 2 * limit), limit);
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
