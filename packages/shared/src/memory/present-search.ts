import type { SearchMemoryResponse } from '@continuity/contract/memory';
import type { Sql, TenantId } from '@continuity/kernel/database';
import { hasMemory } from './has-memory.ts';
import type { SearchAnswer } from './search/index.ts';

/** The wire form of a search. One without hits says why (spec 25 Q18), which takes one more statement. */
export async function presentSearch(
  sql: Sql,
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
  { hits, ...answer }: SearchAnswer,
): Promise<SearchMemoryResponse> {
  if (hits.length > 0) return { ...answer, hits: hits.map(({ version: _, ...hit }) => hit) };
  const reason = (await hasMemory(sql, tenantId, scopeId)) ? 'no_match' : 'no_memory';
  return { ...answer, hits: [], reason };
}
