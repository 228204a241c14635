import { pick, type ScopeKey, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';

const selectScopeKey = 'SELECT scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $2';

/**
 * SQL expression for the key of the Scope with tenant $1 and id $2; null for an unknown Scope. A scalar subquery runs first. For a
 * join, a server without statistics may choose a plan that reads all rows of the tenant.
 */
export const scopeKey = `(${selectScopeKey})`;

const findScope = statement('find_scope', selectScopeKey, pick(tables.scopes, 'scope_key'));

/** Finds the key of a Scope; undefined for an unknown one. */
export async function findScopeKey(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
): Promise<ScopeKey | undefined> {
  return (await sql.first(findScope, [tenantId, scopeId]))?.scope_key;
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
