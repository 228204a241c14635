import { optimizationFence, statement } from '@continuity/kernel/database';
import { batchSize } from '../search/index.ts';
import { countVectors, movedCounts, moveVectors } from './ended-vectors.ts';

/** The parts of the statement that know of validity; empty for a revision without any, which most are. */
interface ValiditySql {
  /** Further fields of a `ChangeRecord`, and the column that says whether the entry has ended. */
  fields: string;
  isEnded: string;
  versionColumns: string;
  stateColumns: string;
  /** The terms of an active entry with its batch. */
  terms: string;
  totalColumn: string;
  endedTotal: string;
  addTotal: string;
  losesVector: string;
  /** Continues the list of expressions, and ends with one that counts the vectors. */
  countVectors: string;
  termColumn: string;
  /** Number of ended entries beside each `delta`. */
  noneEnded: string;
  batchEnded: string;
  endedTerms: string;
  termSum: string;
  isCounted: string;
  addTerm: string;
}

const plain: ValiditySql = {
  fields: '',
  isEnded: '',
  versionColumns: '',
  stateColumns: '',
  terms: 'terms || batch.term',
  totalColumn: '',
  endedTotal: '',
  addTotal: '',
  losesVector: 'c.loses_embedding',
  countVectors: `counted_vectors AS (
     UPDATE memory_embedding_totals t SET embedded = t.embedded - u.entries
     FROM (SELECT profile_key, count(*) AS entries FROM unembedded GROUP BY profile_key) AS u
     WHERE t.tenant_id = $1 AND t.scope_key = $2 AND t.profile_key = u.profile_key
   )`,
  termColumn: '',
  noneEnded: '',
  batchEnded: '',
  endedTerms: '',
  termSum: '',
  isCounted: 'sum(delta) <> 0',
  addTerm: '',
};

/**
 * An entry that has ended when it is written is found with `as_of` alone: the index has its terms negated, and its vectors with the
 * negated key of their profile. One that no longer has ended gets its vectors again from a worker.
 */
const withValidity: ValiditySql = {
  fields: `, holds_from timestamptz, holds_until timestamptz, superseded_by uuid, before_ended boolean, before_terms bigint[]`,
  isEnded: ', active AND holds_until IS NOT NULL AND holds_until <= statement_timestamp() AS ended',
  versionColumns: ', holds_from, holds_until, superseded_by',
  stateColumns: ', holds_from, holds_until, ended',
  terms: `CASE WHEN ended THEN ARRAY(SELECT -t FROM unnest(terms || batch.term) WITH ORDINALITY AS u(t, n) ORDER BY n)
                 ELSE terms || batch.term END`,
  totalColumn: ', ended_entries',
  endedTotal: ', sum(ended::int - before_ended::int)',
  addTotal: ', ended_entries = t.ended_entries + excluded.ended_entries',
  losesVector: '(c.loses_embedding OR c.before_ended AND NOT c.ended)',
  countVectors: `${moveVectors('change', 'c.ended AND NOT c.before_ended AND NOT c.loses_embedding')}, ${countVectors(
    `SELECT profile_key, -1 AS vectors FROM unembedded UNION ALL ${movedCounts}`,
  )}`,
  termColumn: ', ended',
  noneEnded: ', 0 AS ended',
  batchEnded: ', ended::int',
  endedTerms: `
     UNION ALL
     SELECT unnest(terms), 0, 1 FROM change WHERE ended
     UNION ALL
     SELECT unnest(before_terms), 0, -1 FROM change WHERE before_ended`,
  termSum: ', sum(ended)',
  isCounted: '(sum(delta) <> 0 OR sum(ended) <> 0)',
  addTerm: ', ended = m.ended + excluded.ended',
};

/**
 * Writes all rows of one revision (spec 20 M15) in one statement, assigns a batch to the active entries, and gives the new ones their
 * places (spec 26 S15), in the order of their ids, unless older ones wait for theirs (`reindex/places.ts`). To avoid deadlocks it
 * locks counter rows after the head, and terms in ascending order. It updates states by ctid, which is stable under the lock of
 * the head and keeps the planner from scanning the whole Memory. In partitioned tables, a ctid is unique only within a partition.
 */
function declareApply(name: string, validity: ValiditySql) {
  return statement(
    name,
    `WITH change AS (
     SELECT *${validity.isEnded} FROM jsonb_to_recordset($5::jsonb) AS c(
       op text, entry_id uuid, from_version int, to_version int, version int, writes_version boolean,
       entry_version_id uuid, kind text, text text, source_refs jsonb, artifact_refs jsonb, content_hash text,
       active boolean, equality_hash bigint, terms bigint[], term_frequencies smallint[], length smallint, reason text,
       before_kind text, before_active boolean, before_length smallint, loses_embedding boolean${validity.fields})
   ), batch AS (
     SELECT $11::bigint + coalesce(
       (SELECT entered FROM memory_totals WHERE tenant_id = $1 AND scope_key = $2), 0) / ${batchSize} AS term
   ), head AS (
     UPDATE artifacts SET head_revision = $4,
       placed_revision = CASE WHEN placed_revision = $4 - 1 THEN $4 ELSE placed_revision END,
       last_place = last_place + CASE WHEN placed_revision = $4 - 1 THEN (SELECT count(*) FROM change WHERE op = 'add') ELSE 0 END
     WHERE tenant_id = $1 AND artifact_key = $3
     RETURNING CASE WHEN placed_revision = $4 THEN last_place END AS last_place
   ), revision AS (
     INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, sources, artifacts, content_digest)
     VALUES ($1, $3, $4, $6::jsonb, $7::jsonb, decode($10, 'hex'))
   ), versions AS (
     INSERT INTO memory_versions
       (tenant_id, artifact_key, entry_id, version, entry_version_id, kind, text, source_refs, artifact_refs,
        content_hash, place${validity.versionColumns})
     SELECT $1, $3, entry_id, version, entry_version_id, kind, text, source_refs, artifact_refs,
            decode(content_hash, 'hex'),
            CASE WHEN op = 'add' THEN head.last_place + 1 - row_number() OVER (PARTITION BY op ORDER BY entry_id DESC) END
            ${validity.versionColumns}
     FROM change CROSS JOIN head WHERE writes_version
   ), closed AS (
     UPDATE memory_states s SET valid_to = $4, terms = NULL, term_frequencies = NULL, length = NULL
     FROM change c CROSS JOIN LATERAL (
       SELECT o.tableoid, o.ctid FROM memory_states o
       WHERE o.tenant_id = $1 AND o.artifact_key = $3 AND o.entry_id = c.entry_id AND o.valid_to IS NULL
       ${optimizationFence}
     ) AS current
     WHERE c.op <> 'add' AND s.tableoid = current.tableoid AND s.ctid = current.ctid
   ), opened AS (
     INSERT INTO memory_states
       (tenant_id, artifact_key, entry_id, valid_from, version, active, scope_key, equality_hash,
        terms, term_frequencies, length${validity.stateColumns})
     SELECT $1, $3, entry_id, $4, version, active, $2, equality_hash,
            CASE WHEN active THEN ${validity.terms} END, CASE WHEN active THEN term_frequencies || 1::smallint END, length${validity.stateColumns}
     FROM change CROSS JOIN batch
   ), changes AS (
     INSERT INTO memory_changes
       (tenant_id, artifact_key, revision, entry_id, op, from_version, to_version, reason, source_watermark)
     SELECT $1, $3, $4, entry_id, op, from_version, to_version, reason,
            CASE WHEN op = 'deactivate' THEN coalesce(
              (SELECT last_position FROM source_sequences WHERE tenant_id = $1 AND scope_key = $2), 0) END
     FROM change
   ), totals AS (
     INSERT INTO memory_totals AS t
       (tenant_id, scope_key, active_entries, inactive_entries, total_length, entered, embedding_due_at, languages, analyzed_v2,
        placed${validity.totalColumn})
     SELECT $1, $2, sum(active::int - coalesce(before_active, false)::int),
            sum((NOT active)::int - coalesce(NOT before_active, false)::int),
            sum(coalesce(length, 0) - coalesce(before_length, 0)), sum(active::int), CASE WHEN bool_or(active) THEN now() END,
            $12, sum(active::int),
            CASE WHEN (SELECT last_place FROM head) IS NULL THEN 0 ELSE count(*) FILTER (WHERE op = 'add') END${validity.endedTotal}
     FROM change
     ON CONFLICT (tenant_id, scope_key) DO UPDATE SET
       active_entries = t.active_entries + excluded.active_entries,
       inactive_entries = t.inactive_entries + excluded.inactive_entries,
       total_length = t.total_length + excluded.total_length,
       entered = t.entered + excluded.entered,
       embedding_due_at = coalesce(t.embedding_due_at, excluded.embedding_due_at),
       languages = t.languages | excluded.languages,
       analyzed_v2 = t.analyzed_v2 + excluded.analyzed_v2,
       placed = t.placed + excluded.placed${validity.addTotal}
   ), unembedded AS (
     DELETE FROM memory_embeddings e
     USING change c CROSS JOIN memory_embedding_totals t CROSS JOIN LATERAL (
       SELECT o.tableoid, o.ctid FROM memory_embeddings o
       WHERE o.tenant_id = $1 AND o.scope_key = $2 AND o.profile_key = t.profile_key
         AND o.artifact_key = $3 AND o.entry_id = c.entry_id
       ${optimizationFence}
     ) AS known
     WHERE ${validity.losesVector} AND t.tenant_id = $1 AND t.scope_key = $2 AND e.tableoid = known.tableoid AND e.ctid = known.ctid
     RETURNING e.profile_key
   ), ${validity.countVectors}, kinds AS (
     INSERT INTO memory_kinds AS k (tenant_id, scope_key, kind, active_entries, inactive_entries)
     SELECT $1, $2, kind, sum(active), sum(inactive)
     FROM (
       SELECT kind, active::int AS active, (NOT active)::int AS inactive FROM change
       UNION ALL
       SELECT before_kind, -before_active::int, -(NOT before_active)::int FROM change WHERE before_kind IS NOT NULL
     ) AS counted(kind, active, inactive)
     GROUP BY kind HAVING sum(active) <> 0 OR sum(inactive) <> 0 ORDER BY kind
     ON CONFLICT (tenant_id, scope_key, kind) DO UPDATE SET
       active_entries = k.active_entries + excluded.active_entries,
       inactive_entries = k.inactive_entries + excluded.inactive_entries
   )
   INSERT INTO memory_terms AS m (tenant_id, scope_key, term, entries${validity.termColumn})
   SELECT $1, $2, term, sum(delta)${validity.termSum}
   FROM (
     SELECT term, delta${validity.noneEnded} FROM unnest($8::bigint[], $9::int[]) AS t(term, delta)
     UNION ALL
     SELECT batch.term, active::int${validity.batchEnded} FROM change CROSS JOIN batch${validity.endedTerms}
   ) AS counted
   GROUP BY term HAVING ${validity.isCounted} ORDER BY term
   ON CONFLICT (tenant_id, scope_key, term) DO UPDATE SET entries = m.entries + excluded.entries${validity.addTerm}`,
  );
}

/** Writes a revision none of whose entries has validity, or had ended. */
export const applyPlainRevision = declareApply('apply_memory_revision', plain);

/** Writes any revision. */
export const applyRevisionWithValidity = declareApply('apply_memory_revision_with_validity', withValidity);
