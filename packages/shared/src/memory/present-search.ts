import type { SearchMemoryResponse } from '@continuity/contract/memory';
import { column, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { documentsOfScope } from '../documents/index.ts';
import { entriesOfScope, type SearchAnswer } from './search/index.ts';

const countStatement = statement(
  'count_recallable',
  `SELECT ${entriesOfScope('s')} + ${documentsOfScope('s', 'experience')} AS total
   FROM scopes s WHERE s.tenant_id = $1 AND s.scope_id = $2`,
  { total: column.bigint },
);

/** Whether a Scope has an active entry or an approved Experience (spec 25 Q18); false for an unknown Scope. */
export async function hasMemory(sql: Sql, tenantId: TenantId, scopeId: string): Promise<boolean> {
  const row = await sql.first(countStatement, [tenantId, scopeId]);
  return row !== undefined && row.total > 0;
}

/** The wire form of a search. One without hits says why (spec 25 Q18), which takes one more statement. */
export async function presentSearch(
  sql: Sql,
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
  { memory, mode, hits }: SearchAnswer,
): Promise<SearchMemoryResponse> {
  if (hits.length > 0)
    return { memory, mode, hits: hits.map(({ version: _v, artifactKey: _k, channels: _c, ...hit }) => hit) };
  const reason = (await hasMemory(sql, tenantId, scopeId)) ? 'no_match' : 'no_memory';
  return { memory, mode, hits: [], reason };
}
