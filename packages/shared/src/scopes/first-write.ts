import { pick, type ScopeKey, type Sql, statement, type TenantId, tables } from '@continuity/shared/kernel';

const findScope = statement(
  'find_scope',
  'SELECT scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $2',
  pick(tables.scopes, 'scope_key'),
);

const createScope = statement(
  'create_scope_on_first_write',
  `INSERT INTO scopes (tenant_id, scope_id, title, summary)
   VALUES ($1, $2, $2, 'Created on first write.')
   ON CONFLICT (tenant_id, scope_id) DO NOTHING`,
);

/**
 * Finds the key of a Scope for a data write. Creates an unknown Scope in the caller's transaction (spec 10 §1.7); concurrent
 * first writes create one.
 */
export async function scopeForWrite(sql: Sql, tenantId: TenantId, scopeId: string): Promise<ScopeKey> {
  const [existing] = await sql.rows(findScope, [tenantId, scopeId]);
  if (existing !== undefined) return existing.scope_key;
  await sql.rows(createScope, [tenantId, scopeId]);
  const [created] = await sql.rows(findScope, [tenantId, scopeId]);
  if (created === undefined) throw new Error('A Scope that was just created does not exist.');
  return created.scope_key;
}

/** Finds the key of a Scope that the caller knows to exist. */
export async function requireScopeKey(
  sql: Sql,
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
): Promise<ScopeKey> {
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) throw new Error('The Scope does not exist.');
  return scopeKey;
}

/** Finds the key of a Scope; undefined for an unknown one. */
export async function findScopeKey(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
): Promise<ScopeKey | undefined> {
  return (await sql.first(findScope, [tenantId, scopeId]))?.scope_key;
}
