import type { SearchMemoryResponse } from '@continuity/contract/memory';
import type { SearchAnswer } from './search/index.ts';

/** The wire form of a search. */
export function presentSearch({ hits, ...answer }: SearchAnswer): SearchMemoryResponse {
  return { ...answer, hits: hits.map(({ version: _, ...hit }) => hit) };
}
