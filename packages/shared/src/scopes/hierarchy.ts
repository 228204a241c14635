import { column, optimizationFence, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';

const lockStatement = statement(
  'lock_scope_hierarchy',
  'SELECT FROM tenants WHERE tenant_id = $1 FOR NO KEY UPDATE',
);

/**
 * Walks from the parent up to the root. UNION removes ids that were visited, so that a cycle ends the walk. OFFSET makes each
 * step an index look-up.
 */
const isBelowStatement = statement(
  'is_scope_below',
  `WITH RECURSIVE above AS (
     SELECT $2::text COLLATE "C" AS scope_id
     UNION
     SELECT next.parent_scope_id
     FROM above CROSS JOIN LATERAL (
       SELECT s.parent_scope_id FROM scopes s WHERE s.tenant_id = $1 AND s.scope_id = above.scope_id ${optimizationFence}
     ) AS next
     WHERE next.parent_scope_id IS NOT NULL
   )
   SELECT EXISTS (SELECT FROM above WHERE scope_id = $3) AS is_below`,
  { is_below: column.boolean },
);

/**
 * Locks the tenant's hierarchy until the transaction ends, so that parent changes run one at a time. Throws 409
 * `scope_conflict` if the new parent is a descendant of the Scope. The check is a separate statement, so that it sees what the
 * previous holder of the lock committed.
 */
export async function lockHierarchy(
  sql: Sql,
  tenantId: TenantId,
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
