import type { ScopeBinding, ScopeBindingKey, ScopeDescriptor } from '@continuity/contract/scopes';
import { pick, type Sql, statement, tables } from '@continuity/shared/kernel';
import { noDefaultScope } from './default-scope.ts';
import { descriptorColumns, descriptorRow, readScope, scopeNotFound } from './descriptor.ts';

const firstBoundStatement = statement(
  'find_first_bound_scope',
  `WITH found AS (
     SELECT b.scope_key, given.ordinal
     FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY
       AS given (integration, kind, external_id, ordinal)
     JOIN scope_bindings b ON b.tenant_id = $1 AND b.integration = given.integration AND b.kind = given.kind
       AND b.external_id = given.external_id
     UNION ALL
     SELECT default_scope_key, cardinality($2) + 1 FROM tenants WHERE tenant_id = $1 AND default_scope_key IS NOT NULL
     ORDER BY ordinal LIMIT 1
   )
   SELECT ${descriptorColumns} FROM found JOIN scopes s ON s.tenant_id = $1 AND s.scope_key = found.scope_key`,
  descriptorRow,
);

const bindStatement = statement(
  'bind_scope',
  `INSERT INTO scope_bindings AS b (tenant_id, integration, kind, external_id, scope_key)
   SELECT $1, $3, $4, $5, scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $2
   ON CONFLICT (tenant_id, integration, kind, external_id)
   DO UPDATE SET scope_key = excluded.scope_key, bound_at = excluded.bound_at
   RETURNING b.scope_key`,
  pick(tables.scope_bindings, 'scope_key'),
);

const clearStatement = statement(
  'clear_scope_binding',
  `DELETE FROM scope_bindings WHERE tenant_id = $1 AND integration = $2 AND kind = $3 AND external_id = $4
   RETURNING scope_key`,
  pick(tables.scope_bindings, 'scope_key'),
);

/** What a caller knows of where it is. */
export interface BindingQuery {
  explicitScopeId: string | null | undefined;
  keys: ScopeBindingKey[];
}

/**
 * The Scope that applies: the explicit one, else that of the first bound key, else the default one (spec 10 §5). Throws
 * 404 for an explicit one that is unknown, and where nothing applies.
 */
export async function resolveBinding(
  sql: Sql,
  tenantId: number,
  { explicitScopeId, keys }: BindingQuery,
): Promise<ScopeDescriptor> {
  if (typeof explicitScopeId === 'string') return readScope(sql, tenantId, explicitScopeId);
  const found = await sql.first(firstBoundStatement, [
    tenantId,
    keys.map(({ integration }) => integration),
    keys.map(({ kind }) => kind),
    keys.map(({ external_id }) => external_id),
  ]);
  if (found === undefined) throw noDefaultScope();
  return found;
}

/** Makes or moves the binding of a key. Throws 404 for an unknown Scope. */
export async function bindScope(sql: Sql, tenantId: number, { key, scope_id }: ScopeBinding): Promise<void> {
  const bound = await sql.first(bindStatement, [
    tenantId,
    scope_id,
    key.integration,
    key.kind,
    key.external_id,
  ]);
  if (bound === undefined) throw scopeNotFound(scope_id);
}

/** Clears the binding of a key; true for the one of concurrent callers that did. */
export async function clearBinding(sql: Sql, tenantId: number, key: ScopeBindingKey): Promise<boolean> {
  const cleared = await sql.first(clearStatement, [tenantId, key.integration, key.kind, key.external_id]);
  return cleared !== undefined;
}
