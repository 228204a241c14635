import {
  type Database,
  deploymentStatement,
  isWritableHere,
  pick,
  statement,
  tables,
} from '@continuity/kernel/database';
import { countVectors, movedCounts, moveVectors } from './ended-vectors.ts';

/** Interval at which a worker looks for entries whose end has passed, in milliseconds. */
export const sweepEndedMs = 60_000;

/** Limit of entries of one transaction, which blocks the writers of the Memory, and of transactions of one sweep. */
const entriesAtOnce = 64;
const maxTransactions = 100;

const findMemory = deploymentStatement(
  'find_memory_with_ended_entries',
  `SELECT tenant_id, scope_key, artifact_key FROM memory_states
   WHERE valid_to IS NULL AND active AND NOT ended AND holds_until <= now() AND ${isWritableHere('memory_states.tenant_id')}
   ORDER BY holds_until LIMIT 1`,
  pick(tables.memory_states, 'tenant_id', 'scope_key', 'artifact_key'),
);

const lockHead = statement(
  'lock_memory_to_sweep',
  'SELECT FROM artifacts WHERE tenant_id = $1 AND artifact_key = $2 FOR NO KEY UPDATE',
);

/** Locks the counters in the order of `apply_memory_revision`. */
const moveEnded = statement(
  'move_ended_entries',
  `WITH due AS MATERIALIZED (
     SELECT s.tableoid AS row_table, s.ctid AS row_id, s.entry_id, s.terms FROM memory_states s
     WHERE s.tenant_id = $1 AND s.scope_key = $2 AND s.artifact_key = $3 AND s.valid_to IS NULL AND s.active AND NOT s.ended
       AND s.holds_until <= now()
     ORDER BY s.holds_until LIMIT ${entriesAtOnce}
   ), states AS (
     UPDATE memory_states s SET ended = true, terms = ARRAY(SELECT -t FROM unnest(d.terms) WITH ORDINALITY AS u(t, n) ORDER BY n)
     FROM due d WHERE s.tableoid = d.row_table AND s.ctid = d.row_id
   ), totals AS (
     UPDATE memory_totals SET ended_entries = ended_entries + (SELECT count(*) FROM due) WHERE tenant_id = $1 AND scope_key = $2
   ), ${moveVectors('due', 'true')}, ${countVectors(movedCounts)}
   UPDATE memory_terms m SET ended = m.ended + d.entries
   FROM (SELECT term, count(*) AS entries FROM due CROSS JOIN unnest(terms) AS term GROUP BY term ORDER BY term) AS d
   WHERE m.tenant_id = $1 AND m.scope_key = $2 AND m.term = d.term`,
);

/**
 * Indexes entries whose end has passed since they were written as ended ones (spec 26 S1), so that they cost a search nothing. A search
 * leaves them out before that too, by their end. Each batch commits by itself.
 */
export async function sweepEnded(database: Database): Promise<void> {
  for (let transaction = 0; transaction < maxTransactions; transaction += 1) {
    const memory = await database.sql.first(findMemory, []);
    if (memory === undefined) return;
    const { tenant_id, scope_key, artifact_key } = memory;
    await database.transaction(async (sql) => {
      const locked = sql.rows(lockHead, [tenant_id, artifact_key]);
      await Promise.all([locked, sql.commitWith(moveEnded, [tenant_id, scope_key, artifact_key])]);
    });
  }
}
