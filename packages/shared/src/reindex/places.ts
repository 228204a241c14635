import { type Database, optimizationFence, pick, statement, tables } from '@continuity/kernel/database';
import { type ClaimedCorpus, type Position, positionValues, savePosition } from './claims.ts';
import { lockMemory } from './lock-memory.ts';

/** Limit of revisions of one batch. Most revisions add one entry. */
const revisionsAtOnce = 64;

const findMemory = statement(
  'find_memory_without_places',
  `SELECT artifact_key FROM artifacts
   WHERE tenant_id = $1 AND scope_key = $2 AND family = 'memory' AND placed_revision < head_revision
   ORDER BY artifact_key LIMIT 1`,
  pick(tables.artifacts, 'artifact_key'),
);

/** Locks the counters in the order of `apply_memory_revision`. */
const giveSome = statement(
  'give_entries_places',
  `WITH behind AS MATERIALIZED (
     SELECT last_place, placed_revision, least(head_revision, placed_revision + ${revisionsAtOnce}) AS through
     FROM artifacts WHERE tenant_id = $1 AND artifact_key = $3
   ), added AS MATERIALIZED (
     SELECT ch.entry_id, row_number() OVER (ORDER BY ch.revision, ch.entry_id) AS nth
     FROM behind b CROSS JOIN LATERAL (
       SELECT c.revision, c.entry_id FROM memory_changes c
       WHERE c.tenant_id = $1 AND c.artifact_key = $3 AND c.revision > b.placed_revision AND c.revision <= b.through AND c.op = 'add'
       ${optimizationFence}
     ) AS ch
   ), head AS (
     UPDATE artifacts a SET placed_revision = b.through, last_place = b.last_place + (SELECT count(*) FROM added)
     FROM behind b WHERE a.tenant_id = $1 AND a.artifact_key = $3
   ), versions AS (
     UPDATE memory_versions v SET place = b.last_place + a.nth
     FROM behind b CROSS JOIN added a CROSS JOIN LATERAL (
       SELECT o.tableoid, o.ctid FROM memory_versions o
       WHERE o.tenant_id = $1 AND o.artifact_key = $3 AND o.entry_id = a.entry_id AND o.version = 1
       ${optimizationFence}
     ) AS first
     WHERE v.tableoid = first.tableoid AND v.ctid = first.ctid
   )
   UPDATE memory_totals SET placed = placed + (SELECT count(*) FROM added) WHERE tenant_id = $1 AND scope_key = $2`,
);

/**
 * Gives some entries of a Scope their places (spec 26 S15), in the order of creation: those that were stored before entries had places, or
 * by a process that gives none. Null after the last ones.
 */
export async function placeEntries(database: Database, claimed: ClaimedCorpus): Promise<Position | null> {
  const { tenantId, scopeKey, after } = claimed;
  const memory = await database.sql.first(findMemory, [tenantId, scopeKey]);
  if (memory === undefined) return null;
  const position = { artifactKey: memory.artifact_key, entryId: after.entryId };
  await database.transaction(async (sql) => {
    // Sent at once: the second statement begins with the lock, and sees every commit before it.
    await Promise.all([
      lockMemory(sql, tenantId, position.artifactKey),
      sql.rows(giveSome, [tenantId, scopeKey, position.artifactKey]),
      sql.commitWith(savePosition, positionValues(claimed, position)),
    ]);
  });
  return position;
}
