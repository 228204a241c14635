import { column, type ScopeKey, type Sql, statement, type TenantId, tables } from '@continuity/shared/kernel';

/** Limit of referenced Scopes that a preparation reads (spec 20 P2). */
const maxReferenced = 15;

/** The Scopes of one context. */
interface ContextScopes {
  scopeKey: ScopeKey;
  /** Ids of the Scopes in the `context_references` of the current one, ascending. */
  referenced: string[];
}

/** Stored references ascend. Each is looked up by its whole key; one to a Scope that no longer exists does not count. */
const findContextScopes = statement(
  'find_context_scopes',
  `SELECT c.scope_key, ARRAY(
     SELECT known.scope_id
     FROM unnest(c.context_references) WITH ORDINALITY AS r(scope_id, n) CROSS JOIN LATERAL (
       SELECT s.scope_id FROM scopes s WHERE s.tenant_id = c.tenant_id AND s.scope_id = r.scope_id OFFSET 0
     ) AS known
     ORDER BY r.n LIMIT ${maxReferenced}
   ) AS referenced
   FROM scopes c
   WHERE c.tenant_id = $1 AND c.scope_id = $2`,
  { scope_key: tables.scopes.scope_key, referenced: column.text.array() },
);

/** Reads a Scope and the Scopes that it refers to directly; undefined for an unknown Scope. */
export async function readContextScopes(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
): Promise<ContextScopes | undefined> {
  const row = await sql.first(findContextScopes, [tenantId, scopeId]);
  return row && { scopeKey: row.scope_key, referenced: row.referenced };
}
