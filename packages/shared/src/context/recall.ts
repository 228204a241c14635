import {
  type Clock,
  type Database,
  type Logger,
  statement,
  tokenEstimator,
  utcDate,
} from '@continuity/shared/kernel';
import type { Origin } from './candidate.ts';

/** A preparation that is counted. */
export interface Recall {
  tenantId: number;
  scopeKey: number;
  /** What is in the context; nothing where it is empty. */
  items: Origin[];
  /** Estimated tokens of the context. */
  recalledTokens: number;
}

/** Where a preparation is counted. */
export interface RecallLedger {
  database: Pick<Database, 'sql'>;
  logger: Logger;
  clock: Clock;
  /** Whether tokens are estimated. */
  estimates: boolean;
}

/** Revisions that are gone through, and Sources that are added up, at most: far more than eight items have as a rule. */
const maxRevisions = 1_000;
const maxSources = 10_000;

/** A counter that waits longer than this for its row is given up: an answer is worth more. */
const lockLimit = '2s';

/** The key of the revision that a reference names in a Scope. */
const revisionOf = (ref: string, scopeKey: string): string => `
  CROSS JOIN LATERAL (
    SELECT a.artifact_key FROM artifacts a
    WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = ${ref}.family
      AND a.artifact_id = ${ref}.artifact_id
    OFFSET 0
  ) AS a`;

const artifactRefs = (json: string): string =>
  `jsonb_to_recordset(${json}) AS ref(family text, artifact_id text, revision int)`;

/**
 * The evidence Sources of each item: those of an entry's version, and those of the revisions that the version, or an
 * Experience, was made from, whatever these were made from in turn. All are of the item's own Scope. What only records how
 * an Artifact was written is no evidence. An item's version is looked for from the newest on, which it is or was just now.
 *
 * A lost counter is no harm, so that the answer does not wait for the disk; and the row is locked for this statement alone,
 * so that preparations of one Scope do not queue behind each other's commits.
 */
const addRecall = statement(
  'add_recall',
  `WITH RECURSIVE setting AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '${lockLimit}', true)
   ), item AS MATERIALIZED (
     SELECT i.n, c.scope_key, a.artifact_key, i.revision, i.entry_id, i.entry_version_id
     FROM unnest($6::text[], $7::text[], $8::text[], $9::int[], $10::uuid[], $11::uuid[])
       WITH ORDINALITY AS i(scope_id, family, artifact_id, revision, entry_id, entry_version_id, n)
     CROSS JOIN LATERAL (
       SELECT c.scope_key FROM scopes c WHERE c.tenant_id = $1 AND c.scope_id = i.scope_id OFFSET 0
     ) AS c
     ${revisionOf('i', 'c.scope_key')}
   ), version AS MATERIALIZED (
     SELECT i.n, i.scope_key, v.source_refs, v.artifact_refs
     FROM item i CROSS JOIN LATERAL (
       SELECT v.source_refs, v.artifact_refs FROM memory_versions v
       WHERE v.tenant_id = $1 AND v.artifact_key = i.artifact_key AND v.entry_id = i.entry_id
         AND v.entry_version_id = i.entry_version_id
       ORDER BY v.version DESC LIMIT 1
     ) AS v
   ), origin AS (
     SELECT n, scope_key, artifact_key, revision FROM item WHERE entry_id IS NULL
     UNION ALL
     SELECT v.n, v.scope_key, a.artifact_key, ref.revision
     FROM version v CROSS JOIN LATERAL ${artifactRefs('v.artifact_refs')} ${revisionOf('ref', 'v.scope_key')}
   ), revision AS (
     SELECT * FROM origin
     UNION ALL
     SELECT r.n, r.scope_key, a.artifact_key, ref.revision
     FROM revision r
     CROSS JOIN LATERAL (
       SELECT made.artifacts FROM artifact_revisions made
       WHERE made.tenant_id = $1 AND made.artifact_key = r.artifact_key AND made.revision = r.revision OFFSET 0
     ) AS made
     CROSS JOIN LATERAL ${artifactRefs('made.artifacts')} ${revisionOf('ref', 'r.scope_key')}
   ), source_ref AS (
     SELECT v.n, v.scope_key, ref.name, ref.source_id
     FROM version v CROSS JOIN LATERAL jsonb_to_recordset(v.source_refs) AS ref(name text, source_id text)
     UNION ALL
     SELECT r.n, r.scope_key, ref.source_type, ref.source_id
     FROM (SELECT * FROM revision LIMIT ${maxRevisions}) AS r
     CROSS JOIN LATERAL (
       SELECT made.sources FROM artifact_revisions made
       WHERE made.tenant_id = $1 AND made.artifact_key = r.artifact_key AND made.revision = r.revision OFFSET 0
     ) AS made
     CROSS JOIN LATERAL jsonb_to_recordset(made.sources) AS ref(source_type text, source_id text)
   ), evidence AS MATERIALIZED (
     SELECT ref.n, ref.scope_key, s.position, s.tokens
     FROM (SELECT * FROM source_ref LIMIT ${maxSources}) AS ref
     CROSS JOIN LATERAL (
       SELECT s.position, s.tokens, s.record FROM sources s
       WHERE s.tenant_id = $1 AND s.scope_key + 0 = ref.scope_key AND s.source_type = ref.name
         AND s.source_id = ref.source_id
       OFFSET 0
     ) AS s
     WHERE s.record IS DISTINCT FROM 'artifact-write'
   ), recall AS MATERIALIZED (
     SELECT cardinality($6) > 0 AS is_ready,
            cardinality($6) > 0 AND cardinality($6) = (SELECT count(DISTINCT n) FROM evidence)
              AND NOT EXISTS (SELECT FROM evidence WHERE tokens IS NULL) AS is_comparable,
            (SELECT sum(tokens) FROM (SELECT DISTINCT scope_key, position, tokens FROM evidence) AS once) AS baseline
     FROM setting
   )
   INSERT INTO recall_days AS d
     (tenant_id, scope_key, day, estimator, preparations, ready_preparations, comparable_preparations, baseline_tokens,
      recalled_tokens)
   SELECT $1, $2, $3::date, $4, 1, is_ready::int, is_comparable::int,
          CASE WHEN is_comparable AND $4 <> '' THEN baseline ELSE 0 END,
          CASE WHEN is_comparable AND $4 <> '' THEN $5::bigint ELSE 0 END
   FROM recall
   ON CONFLICT (tenant_id, scope_key, day, estimator) DO UPDATE SET
     preparations = d.preparations + excluded.preparations,
     ready_preparations = d.ready_preparations + excluded.ready_preparations,
     comparable_preparations = d.comparable_preparations + excluded.comparable_preparations,
     baseline_tokens = d.baseline_tokens + excluded.baseline_tokens,
     recalled_tokens = d.recalled_tokens + excluded.recalled_tokens`,
);

/** The estimator that a row of counters is of: empty while estimation is off (spec 20 T7). */
export function recallEstimator(estimates: boolean): string {
  return estimates ? `${tokenEstimator.estimator_id}/${tokenEstimator.version}` : '';
}

/**
 * Adds a preparation to the counters of its Scope and day (spec 20 P12). Never rejects: a failure is logged, and the answer is
 * the same. One round trip.
 */
export async function countRecall(
  { database, logger, clock, estimates }: RecallLedger,
  { tenantId, scopeKey, items, recalledTokens }: Recall,
): Promise<void> {
  try {
    await database.sql.rows(addRecall, [
      tenantId,
      scopeKey,
      utcDate(clock.now()),
      recallEstimator(estimates),
      recalledTokens,
      items.map(({ scopeId }) => scopeId),
      items.map(({ artifact }) => artifact.family),
      items.map(({ artifact }) => artifact.artifact_id),
      items.map(({ artifact }) => artifact.revision),
      items.map(({ entry }) => entry?.entry_id ?? null),
      items.map(({ entry }) => entry?.entry_version_id ?? null),
    ]);
  } catch (error) {
    logger.warn({ err: error, tenant_id: tenantId }, 'a preparation of context was not counted');
  }
}
