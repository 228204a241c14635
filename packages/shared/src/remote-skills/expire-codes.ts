import { type Database, deploymentStatement, pick, tables } from '@continuity/kernel/database';

/** Limit of the targets of one batch. */
const batchSize = 500;

/** Expires a batch of pending targets. An advisory lock lets one worker run it at a time. Skips a target that is enrolling. */
const expireStatement = deploymentStatement(
  'expire_remote_targets',
  `WITH turn AS MATERIALIZED (
     SELECT pg_try_advisory_xact_lock(hashtextextended('expire_remote_targets', 0)) AS is_mine
   ), due AS (
     SELECT tenant_id, scope_key, target_id FROM remote_skill_targets
     WHERE (SELECT is_mine FROM turn) AND state = 'pending' AND enrollment_expires_at <= now()
     ORDER BY enrollment_expires_at LIMIT ${batchSize} FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE remote_skill_targets t SET state = 'revoked', generation = generation + 1, enrollment_code_hash = NULL
   FROM due WHERE t.tenant_id = due.tenant_id AND t.scope_key = due.scope_key AND t.target_id = due.target_id
   RETURNING t.target_id`,
  pick(tables.remote_skill_targets, 'target_id'),
);

/** Revokes the pending targets of all tenants whose code has expired (spec 40 §8). Each batch commits alone. Safe to repeat. */
export async function expireCodes(database: Database): Promise<void> {
  for (;;) {
    const expired = await database.sql.rows(expireStatement, []);
    if (expired.length < batchSize) return;
  }
}
