import { pick, type Sql, statement, tables } from '@continuity/shared/kernel';

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
 * The key of a Scope; makes the descriptor of an unknown one in the caller's transaction (spec 10 §1.7). Concurrent first
 * writers make one.
 */
export async function scopeForWrite(sql: Sql, tenantId: number, scopeId: string): Promise<number> {
  const [before] = await sql.rows(findScope, [tenantId, scopeId]);
  if (before !== undefined) return before.scope_key;
  await sql.rows(createScope, [tenantId, scopeId]);
  const [made] = await sql.rows(findScope, [tenantId, scopeId]);
  if (made === undefined) throw new Error('A Scope that was just made is not there.');
  return made.scope_key;
}

/** The key of a known Scope, or undefined. */
export async function findScopeKey(sql: Sql, tenantId: number, scopeId: string): Promise<number | undefined> {
  return (await sql.first(findScope, [tenantId, scopeId]))?.scope_key;
}
