import {
  type ArtifactKey,
  type Database,
  optimizationFence,
  pick,
  statement,
  tables,
} from '@continuity/kernel/database';
import { runInSlices } from '@continuity/kernel/fairness';
import { type Projection, plainTerms, projectSteps } from '../search/index.ts';
import { type ClaimedCorpus, type Position, positionValues, savePosition } from './claims.ts';
import { lockMemory } from './lock-memory.ts';

/** Limit of entries of one batch. Their transaction blocks the writers of the Memory for some ten milliseconds. */
const entriesAtOnce = 64;

const readEntries = statement(
  'read_entries_to_reindex',
  `SELECT a.artifact_key, s.entry_id, s.valid_from, v.text
   FROM artifacts a CROSS JOIN LATERAL (
     SELECT s.entry_id, s.valid_from, s.version FROM memory_states s
     WHERE s.tenant_id = $1 AND s.artifact_key = a.artifact_key AND s.active AND s.valid_to IS NULL
       AND s.entry_id > CASE WHEN a.artifact_key = $3 THEN $4 ELSE '00000000-0000-0000-0000-000000000000' END::uuid
     ORDER BY s.entry_id LIMIT ${entriesAtOnce} ${optimizationFence}
   ) AS s CROSS JOIN LATERAL (
     SELECT v.text FROM memory_versions v
     WHERE v.tenant_id = $1 AND v.artifact_key = a.artifact_key AND v.entry_id = s.entry_id AND v.version = s.version
     ${optimizationFence}
   ) AS v
   WHERE a.tenant_id = $1 AND a.scope_key = $2 AND a.family = 'memory' AND a.artifact_key >= $3
   ORDER BY a.artifact_key, s.entry_id LIMIT ${entriesAtOnce}`,
  {
    ...pick(tables.memory_states, 'artifact_key', 'entry_id', 'valid_from'),
    text: tables.memory_versions.text,
  },
);

/**
 * Replaces the terms of entries that are still as they were read, and the counters. An entry keeps its batch term, the last one. Locks
 * the counters in the order of `apply_memory_revision`.
 */
const rewriteTerms = statement(
  'rewrite_memory_terms',
  `WITH given AS (
     SELECT * FROM jsonb_to_recordset($4::jsonb) AS g(
       entry_id uuid, valid_from int, terms bigint[], term_frequencies smallint[], length smallint)
   ), before AS MATERIALIZED (
     SELECT s.row_table, s.row_id, s.ended, s.terms AS old_terms, s.length AS old_length, g.length,
            g.terms || s.terms[cardinality(s.terms)] AS terms, g.term_frequencies || 1::smallint AS term_frequencies
     FROM given g CROSS JOIN LATERAL (
       SELECT o.tableoid AS row_table, o.ctid AS row_id, o.ended, ${plainTerms('o')} AS terms, o.length FROM memory_states o
       WHERE o.tenant_id = $1 AND o.artifact_key = $3 AND o.entry_id = g.entry_id AND o.valid_from = g.valid_from
         AND o.valid_to IS NULL AND o.active
       ${optimizationFence}
     ) AS s
   ), rewritten AS (
     UPDATE memory_states s SET terms = b.terms, term_frequencies = b.term_frequencies, length = b.length
     FROM (
       SELECT row_table, row_id, term_frequencies, length,
              CASE WHEN ended THEN ARRAY(SELECT -t FROM unnest(terms) WITH ORDINALITY AS u(t, n) ORDER BY n) ELSE terms END AS terms
       FROM before
     ) AS b WHERE s.tableoid = b.row_table AND s.ctid = b.row_id
       AND (s.terms, s.term_frequencies, s.length) IS DISTINCT FROM (b.terms, b.term_frequencies, b.length)
   ), totals AS (
     UPDATE memory_totals SET languages = languages | $5,
       total_length = total_length + (SELECT coalesce(sum(length - old_length), 0) FROM before)
     WHERE tenant_id = $1 AND scope_key = $2
   )
   INSERT INTO memory_terms AS m (tenant_id, scope_key, term, entries, ended)
   SELECT $1, $2, term, sum(delta), sum(delta * ended) FROM (
     SELECT unnest(terms) AS term, 1 AS delta, ended::int FROM before
     UNION ALL
     SELECT unnest(old_terms), -1, ended::int FROM before
   ) AS counted
   GROUP BY term HAVING sum(delta) <> 0 OR sum(delta * ended) <> 0 ORDER BY term
   ON CONFLICT (tenant_id, scope_key, term) DO UPDATE SET
     entries = m.entries + excluded.entries, ended = m.ended + excluded.ended`,
);

interface EntryToReindex {
  artifact_key: ArtifactKey;
  entry_id: string;
  valid_from: number;
  text: string;
}

/** Analyzes the next entries of a Scope's Memory again; null after the last one. */
export async function reindexEntries(database: Database, claimed: ClaimedCorpus): Promise<Position | null> {
  const { tenantId, scopeKey, after } = claimed;
  const rows = await database.sql.rows(readEntries, [tenantId, scopeKey, after.artifactKey, after.entryId]);
  let position: Position | null = null;
  for (const [artifactKey, entries] of Map.groupBy(rows, (row) => row.artifact_key)) {
    position = { artifactKey, entryId: entries.at(-1)?.entry_id ?? after.entryId };
    await rewrite(database, claimed, entries, position);
  }
  return position;
}

async function rewrite(
  database: Database,
  claimed: ClaimedCorpus,
  entries: EntryToReindex[],
  position: Position,
): Promise<void> {
  const { tenantId, scopeKey } = claimed;
  const projections: Projection[] = [];
  for (const { text } of entries) projections.push(await runInSlices(projectSteps(claimed, text)));
  const records = projections.map(({ terms, frequencies, length }, index) => {
    const { entry_id, valid_from } = entries[index] ?? {};
    return { entry_id, valid_from, terms, term_frequencies: frequencies, length };
  });
  const languages = projections.reduce((all, projection) => all | projection.languages, 0);
  const values = [tenantId, scopeKey, position.artifactKey, JSON.stringify(records), languages];
  await database.transaction(async (sql) => {
    const locked = lockMemory(sql, tenantId, position.artifactKey);
    const rewritten = sql.rows(rewriteTerms, values);
    const saved = sql.commitWith(savePosition, positionValues(claimed, position));
    await Promise.all([locked, rewritten, saved]);
  });
}
