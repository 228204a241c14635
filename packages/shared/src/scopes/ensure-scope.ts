import { type ScopeKey, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { findScopeKey } from './scope-key.ts';

const createScope = statement(
  'create_scope_on_first_write',
  `INSERT INTO scopes (tenant_id, scope_id, title, summary)
   VALUES ($1, $2, $2, 'Created on first write.')
   ON CONFLICT (tenant_id, scope_id) DO NOTHING`,
);

/**
 * Returns the key of a Scope for a data write. Creates an unknown Scope in the caller's transaction (spec 10 §1.7). Concurrent calls
 * create one Scope.
 */
export async function ensureScope(sql: Sql, tenantId: TenantId, scopeId: string): Promise<ScopeKey> {
  const existing = await findScopeKey(sql, tenantId, scopeId);
  if (existing !== undefined) return existing;
  await sql.rows(createScope, [tenantId, scopeId]);
  const created = await findScopeKey(sql, tenantId, scopeId);
  if (created === undefined) throw new Error('A Scope that was just created does not exist.');
  return created;
}
