import {
  column,
  type Database,
  deploymentStatement,
  isWritableHere,
  pick,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import { activeProfile } from './profile.ts';

/** Interval at which a worker marks its profile as used and deletes unused ones, in milliseconds. */
export const deleteUnusedMs = 60_000;

/** Limit of vectors per transaction, and of transactions per call. */
const vectorsAtOnce = 1_000;
const maxTransactions = 20;

const touch = deploymentStatement(
  'touch_embedding_profile',
  'UPDATE embedding_profiles SET seen_at = now() WHERE profile_key = $1',
);

/** No worker has used the profile for a day, and none is about to. */
const isUnused = `seen_at < now() - interval '1 day' AND profile_key <> ${activeProfile}`;

/** Rows of the profile `p`. Vectors of ended entries have the negative key. */
const totalsOfProfile =
  'SELECT FROM memory_embedding_totals t WHERE t.profile_key IN (p.profile_key, -p.profile_key)';

/**
 * The lock makes an activation of the profile wait for the transaction. Passes over a profile whose vectors all belong to tenants that have
 * left this server, until their rows are deleted.
 */
const lockUnused = deploymentStatement(
  'lock_unused_embedding_profile',
  `SELECT profile_key FROM embedding_profiles p WHERE ${isUnused}
     AND (EXISTS (${totalsOfProfile} AND ${isWritableHere('t.tenant_id')}) OR NOT EXISTS (${totalsOfProfile}))
   ORDER BY profile_key LIMIT 1 FOR SHARE`,
  pick(tables.embedding_profiles, 'profile_key'),
);

const selectScope = deploymentStatement(
  'select_scope_of_profile',
  `SELECT tenant_id, scope_key, profile_key FROM memory_embedding_totals WHERE profile_key IN ($1, -$1::int)
     AND ${isWritableHere('memory_embedding_totals.tenant_id')}
   LIMIT 1 FOR UPDATE SKIP LOCKED`,
  pick(tables.memory_embedding_totals, 'tenant_id', 'scope_key', 'profile_key'),
);

/** Without the cursors, a worker that activates the profile again finds the entries whose vectors are deleted. */
const deleteVectors = statement(
  'delete_unused_embeddings',
  `WITH deleted AS (
     DELETE FROM memory_embeddings e USING (
       SELECT tableoid, ctid FROM memory_embeddings WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3
       LIMIT ${vectorsAtOnce}
     ) AS chunk WHERE e.tableoid = chunk.tableoid AND e.ctid = chunk.ctid RETURNING e.entry_id
   ), cursors AS (
     DELETE FROM memory_embedding_cursors c USING artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = $2 AND a.family = 'memory'
       AND c.tenant_id = $1 AND c.artifact_key = a.artifact_key AND c.profile_key = $3
   ), counted AS (
     SELECT count(*) AS vectors FROM deleted
   )
   UPDATE memory_embedding_totals SET embedded = embedded - vectors FROM counted
   WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3
   RETURNING vectors`,
  { vectors: column.bigint },
);

const deleteRest = statement(
  'delete_unused_embedding_state',
  `WITH failed AS (
     DELETE FROM failed_embeddings WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3
   )
   DELETE FROM memory_embedding_totals WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3`,
);

const deleteProfile = deploymentStatement(
  'delete_unused_embedding_profile',
  `DELETE FROM embedding_profiles WHERE profile_key = $1 AND ${isUnused}
     AND NOT EXISTS (SELECT FROM memory_embedding_totals WHERE profile_key IN ($1, -$1::int))`,
);

/**
 * Deletes a batch of the vectors of a profile that no worker has used for a day. Calls `dropIndex` and deletes the profile once
 * no vectors are left. Stops if a worker activates the profile again.
 */
export async function deleteUnusedProfiles(
  database: Database,
  ownKey: number,
  dropIndex: (profileKey: number) => Promise<void>,
): Promise<void> {
  await database.sql.rows(touch, [ownKey]);
  for (let transaction = 0; transaction < maxTransactions; transaction += 1) {
    const unused = await database.transaction(deleteSome);
    if (unused === undefined) return;
    if (unused.hadVectors) continue;
    await dropIndex(unused.profileKey);
    await database.sql.rows(deleteProfile, [unused.profileKey]);
    return;
  }
}

/** Deletes some vectors of an unused profile, all of one Scope; undefined if no profile is unused. */
async function deleteSome(sql: Sql): Promise<{ profileKey: number; hadVectors: boolean } | undefined> {
  const unused = await sql.first(lockUnused, []);
  if (unused === undefined) return undefined;
  const profileKey = unused.profile_key;
  const scope = await sql.first(selectScope, [profileKey]);
  if (scope === undefined) return { profileKey, hadVectors: false };
  // The profile, or that of its vectors of ended entries.
  const place = [scope.tenant_id, scope.scope_key, scope.profile_key];
  const deleted = await sql.first(deleteVectors, place);
  if (deleted === undefined || deleted.vectors < vectorsAtOnce) await sql.rows(deleteRest, place);
  return { profileKey, hadVectors: true };
}
