import { column, type Sql, serviceError, statement } from '@continuity/shared/kernel';

const lockStatement = statement(
  'lock_scope_hierarchy',
  'SELECT FROM tenants WHERE tenant_id = $1 FOR NO KEY UPDATE',
);

/**
 * UNION, not UNION ALL: an id that came before ends the walk. It goes no further than to the Scope that it looks for. OFFSET
 * keeps each step a look-up by index.
 */
const isBelowStatement = statement(
  'is_scope_below',
  `WITH RECURSIVE above AS (
     SELECT $2::text COLLATE "C" AS scope_id
     UNION
     SELECT next.parent_scope_id
     FROM above CROSS JOIN LATERAL (
       SELECT s.parent_scope_id FROM scopes s WHERE s.tenant_id = $1 AND s.scope_id = above.scope_id OFFSET 0
     ) AS next
     WHERE next.parent_scope_id IS NOT NULL
   )
   SELECT EXISTS (SELECT FROM above WHERE scope_id = $3) AS is_below`,
  { is_below: column.boolean },
);

/**
 * Locks the tenant's hierarchy until the transaction ends, so that parent changes happen one after the other, and throws
 * 409 where the parent is below the Scope already. The check is a statement of its own: it sees what the holder of the
 * lock before it committed.
 */
export async function lockHierarchy(
  sql: Sql,
  tenantId: number,
  scopeId: string,
  parentId: string | null,
): Promise<void> {
  await sql.rows(lockStatement, [tenantId]);
  if (parentId === null) return;
  const row = await sql.first(isBelowStatement, [tenantId, parentId, scopeId]);
  if (row?.is_below !== true) return;
  throw serviceError('scope_conflict', {
    message: 'The parent is a descendant of this Scope. Choose another parent.',
    details: { reason: 'cycle' },
  });
}
