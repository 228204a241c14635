import { pick, type ScopeKey, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { scopeKey } from '../../scopes/index.ts';

/** A Scope and the profile that its entries are embedded into. */
export interface EmbeddingScope {
  tenantId: TenantId;
  scopeKey: ScopeKey;
  profileKey: number;
}

const findScope = statement(
  'find_scope_to_embed',
  `SELECT t.scope_key, t.entered FROM memory_totals t WHERE t.tenant_id = $1 AND t.scope_key = ${scopeKey}`,
  pick(tables.memory_totals, 'scope_key', 'entered'),
);

/** The key of a Scope with Memory. `entered` grows with each write that needs a vector. */
export async function findScopeToEmbed(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
): Promise<{ scopeKey: ScopeKey; entered: number } | undefined> {
  const row = await sql.first(findScope, [tenantId, scopeId]);
  return row && { scopeKey: row.scope_key, entered: row.entered };
}
