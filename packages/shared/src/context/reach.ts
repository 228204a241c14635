import { type Sql, statement } from '@continuity/shared/kernel';

/** Most Scopes besides the current one that a preparation reads (spec 20 P2). */
const maxReferenced = 15;

/** The Scopes that a preparation in a Scope reads besides it. */
export interface Reach {
  scopeKey: number;
  /** Ascending. */
  referenced: string[];
}

/** References are kept ascending; each is looked up by its whole key, and one that leads nowhere does not count. */
const findReach = statement(
  'find_context_reach',
  `SELECT c.scope_key, ARRAY(
     SELECT r.scope_id
     FROM unnest(c.context_references) WITH ORDINALITY AS r(scope_id, n)
     CROSS JOIN LATERAL (
       SELECT FROM scopes other WHERE other.tenant_id = c.tenant_id AND other.scope_id = r.scope_id OFFSET 0
     ) AS known
     ORDER BY r.n LIMIT ${maxReferenced}
   ) AS referenced
   FROM scopes c WHERE c.tenant_id = $1 AND c.scope_id = $2`,
);

/** The direct Context References of a Scope; undefined for an unknown one. */
export async function readReach(sql: Sql, tenantId: number, scopeId: string): Promise<Reach | undefined> {
  const row = await sql.first<{ scope_key: number; referenced: string[] }>(findReach, [tenantId, scopeId]);
  return row && { scopeKey: row.scope_key, referenced: row.referenced };
}
