import {
  type Database,
  deploymentStatement,
  pick,
  type Sql,
  statement,
  tables,
} from '@continuity/shared/kernel';
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

const selectUnused = deploymentStatement(
  'select_unused_embedding_profile',
  `SELECT profile_key FROM embedding_profiles
   WHERE seen_at < now() - interval '1 day' AND profile_key <> ${activeProfile} ORDER BY profile_key LIMIT 1`,
  pick(tables.embedding_profiles, 'profile_key'),
);

const selectScope = deploymentStatement(
  'select_scope_of_profile',
  `SELECT tenant_id, scope_key FROM memory_embedding_totals WHERE profile_key = $1 LIMIT 1 FOR UPDATE SKIP LOCKED`,
  pick(tables.memory_embedding_totals, 'tenant_id', 'scope_key'),
);

const deleteVectors = statement(
  'delete_unused_embeddings',
  `DELETE FROM memory_embeddings e USING (
     SELECT tableoid, ctid FROM memory_embeddings WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3
     LIMIT ${vectorsAtOnce}
   ) AS chunk WHERE e.tableoid = chunk.tableoid AND e.ctid = chunk.ctid RETURNING e.entry_id`,
  pick(tables.memory_embeddings, 'entry_id'),
);

const deleteRest = statement(
  'delete_unused_embedding_state',
  `WITH failed AS (
     DELETE FROM failed_embeddings WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3
   ), cursors AS (
     DELETE FROM memory_embedding_cursors c USING artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = $2 AND a.family = 'memory'
       AND c.tenant_id = $1 AND c.artifact_key = a.artifact_key AND c.profile_key = $3
   )
   DELETE FROM memory_embedding_totals WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3`,
);

const deleteProfile = deploymentStatement(
  'delete_unused_embedding_profile',
  `DELETE FROM embedding_profiles WHERE profile_key = $1
     AND NOT EXISTS (SELECT FROM memory_embedding_totals WHERE profile_key = $1)`,
);

/**
 * Deletes a batch of the vectors of a profile that no worker has used for a day. Calls `dropIndex` and deletes the profile once
 * no vectors are left.
 */
export async function deleteUnusedProfiles(
  database: Database,
  ownKey: number,
  dropIndex: (profileKey: number) => Promise<void>,
): Promise<void> {
  await database.sql.rows(touch, [ownKey]);
  const unused = await database.sql.first(selectUnused, []);
  if (unused === undefined) return;
  for (let transaction = 0; transaction < maxTransactions; transaction += 1) {
    const hasMore = await database.transaction((sql) => deleteSome(sql, unused.profile_key));
    if (hasMore) continue;
    await dropIndex(unused.profile_key);
    await database.sql.rows(deleteProfile, [unused.profile_key]);
    return;
  }
}

async function deleteSome(sql: Sql, profileKey: number): Promise<boolean> {
  const scope = await sql.first(selectScope, [profileKey]);
  if (scope === undefined) return false;
  const place = [scope.tenant_id, scope.scope_key, profileKey];
  const deleted = await sql.rows(deleteVectors, place);
  if (deleted.length < vectorsAtOnce) await sql.rows(deleteRest, place);
  return true;
}
