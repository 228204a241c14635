import { pick, type Sql, statement, tables } from '@continuity/shared/kernel';
import { scopeNotFound } from './descriptor.ts';

const findStatement = statement(
  'find_scope_ids',
  'SELECT scope_id FROM scopes WHERE tenant_id = $1 AND scope_id = ANY ($2::text[])',
  pick(tables.scopes, 'scope_id'),
);

/**
 * Throws 404 `scope_not_found` with the first of the ids, in the order given, that is unknown. A Scope is never deleted, so
 * what is found here stays.
 */
export async function requireScopes(sql: Sql, tenantId: number, scopeIds: readonly string[]): Promise<void> {
  if (scopeIds.length === 0) return;
  const rows = await sql.rows(findStatement, [tenantId, scopeIds]);
  const known = new Set(rows.map(({ scope_id }) => scope_id));
  const unknown = scopeIds.find((scopeId) => !known.has(scopeId));
  if (unknown !== undefined) throw scopeNotFound(unknown);
}
