import { type Sql, statement } from '@continuity/kernel/database';
import { findScopeKey } from '../scopes/index.ts';
import {
  selectTarget,
  type TargetAddress,
  type TargetKey,
  type TargetRow,
  targetColumns,
  targetNotFound,
} from './target.ts';

const lockStatement = statement(
  'lock_remote_target',
  `SELECT ${selectTarget} FROM remote_skill_targets t
   WHERE t.tenant_id = $1 AND t.scope_key = $2 AND t.target_id = $3 FOR NO KEY UPDATE`,
  targetColumns,
);

/**
 * Locks a target until the transaction ends. Each writer of the target or of its publications takes this lock first. Throws 404
 * `remote_target_not_found`.
 */
export async function lockTarget(
  sql: Sql,
  { tenantId, scopeId, targetId }: TargetAddress,
): Promise<{ key: TargetKey; row: TargetRow }> {
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) throw targetNotFound();
  const row = await sql.first(lockStatement, [tenantId, scopeKey, targetId]);
  if (row === undefined) throw targetNotFound();
  return { key: { tenantId, scopeKey, targetId }, row };
}
