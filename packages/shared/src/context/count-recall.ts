import {
  bestEffortWrite,
  optimizationFence,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
} from '@continuity/kernel/database';
import { type Clock, utcDate } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { tokenEstimator } from '@continuity/kernel/text';
import type { Origin } from './context-hit.ts';

/** Limits of one count; the items of a context rarely come near them. */
const maxRevisions = 2_000;
const maxSources = 10_000;

/**
 * Parameters: tenant, Scope, day, estimator, recalled tokens, then one array for each column of an item.
 *
 * `lineage` holds each item's own references, then follows references to Artifacts revision by revision. References stay
 * within the Scope of their item. UNION ALL visits a revision once for each path to it: the hash table of UNION costs more.
 *
 * The statement runs in its own transaction, so concurrent preparations do not queue behind each other's commits.
 */
const addRecall = statement(
  'add_recall',
  `WITH RECURSIVE lineage AS (
     SELECT i.n, c.scope_key, own.sources, own.artifacts
     FROM unnest($6::text[], $7::text[], $8::text[], $9::int[], $10::uuid[], $11::uuid[])
       WITH ORDINALITY AS i(scope_id, family, artifact_id, revision, entry_id, entry_version_id, n)
     CROSS JOIN LATERAL (
       SELECT c.scope_key FROM scopes c WHERE c.tenant_id = $1 AND c.scope_id = i.scope_id ${optimizationFence}
     ) AS c
     CROSS JOIN LATERAL (
       SELECT a.artifact_key FROM artifacts a
       WHERE a.tenant_id = $1 AND a.scope_key = c.scope_key AND a.family = i.family AND a.artifact_id = i.artifact_id
       ${optimizationFence}
     ) AS a
     CROSS JOIN LATERAL (
       (SELECT v.source_refs AS sources, v.artifact_refs AS artifacts FROM memory_versions v
        WHERE v.tenant_id = $1 AND v.artifact_key = a.artifact_key AND v.entry_id = i.entry_id
          AND v.entry_version_id = i.entry_version_id
        -- The version was current a moment ago, so the newest ones are read first.
        ORDER BY v.version DESC LIMIT 1)
       UNION ALL
       SELECT r.sources, r.artifacts FROM artifact_revisions r
       WHERE i.entry_id IS NULL AND r.tenant_id = $1 AND r.artifact_key = a.artifact_key AND r.revision = i.revision
     ) AS own
     UNION ALL
     SELECT l.n, l.scope_key, r.sources, r.artifacts
     FROM lineage l
     CROSS JOIN LATERAL jsonb_array_elements(l.artifacts) AS ref
     CROSS JOIN LATERAL (
       SELECT a.artifact_key FROM artifacts a
       WHERE a.tenant_id = $1 AND a.scope_key = l.scope_key AND a.family = ref ->> 'family'
         AND a.artifact_id = ref ->> 'artifact_id'
       ${optimizationFence}
     ) AS a
     CROSS JOIN LATERAL (
       SELECT r.sources, r.artifacts FROM artifact_revisions r
       WHERE r.tenant_id = $1 AND r.artifact_key = a.artifact_key AND r.revision = (ref ->> 'revision')::int
       ${optimizationFence}
     ) AS r
   ), reference AS (
     SELECT l.n, l.scope_key, coalesce(ref ->> 'name', ref ->> 'source_type') AS source_type,
            ref ->> 'source_id' AS source_id
     FROM (SELECT * FROM lineage LIMIT ${maxRevisions}) AS l CROSS JOIN LATERAL jsonb_array_elements(l.sources) AS ref
     LIMIT ${maxSources}
   ), evidence AS (
     SELECT ref.n, s.tokens, row_number() OVER (PARTITION BY ref.scope_key, s.position) AS use
     FROM reference ref CROSS JOIN LATERAL (
       SELECT s.position, s.tokens, s.record FROM sources s
       -- "+ 0" is the form of the index on the identity of a Source (see sources/identity.ts).
       WHERE s.tenant_id = $1 AND s.scope_key + 0 = ref.scope_key AND s.source_type = ref.source_type
         AND s.source_id = ref.source_id
       ${optimizationFence}
     ) AS s
     WHERE s.record IS DISTINCT FROM 'artifact-write'
   )
   INSERT INTO recall_days AS d
     (tenant_id, scope_key, day, estimator, preparations, ready_preparations, comparable_preparations, baseline_tokens,
      recalled_tokens)
   SELECT $1, $2, $3::date, $4, 1, is_ready::int, is_comparable::int,
          CASE WHEN is_comparable AND $4 <> '' THEN baseline ELSE 0 END,
          CASE WHEN is_comparable AND $4 <> '' THEN $5::bigint ELSE 0 END
   FROM (
     SELECT cardinality($6) > 0 AS is_ready,
            count(*) > 0 AND count(DISTINCT n) = cardinality($6) AND bool_and(tokens IS NOT NULL) AS is_comparable,
            sum(tokens) FILTER (WHERE use = 1) AS baseline,
            ${bestEffortWrite}
     FROM evidence
   ) AS recall
   ON CONFLICT (tenant_id, scope_key, day, estimator) DO UPDATE SET
     preparations = d.preparations + excluded.preparations,
     ready_preparations = d.ready_preparations + excluded.ready_preparations,
     comparable_preparations = d.comparable_preparations + excluded.comparable_preparations,
     baseline_tokens = d.baseline_tokens + excluded.baseline_tokens,
     recalled_tokens = d.recalled_tokens + excluded.recalled_tokens`,
);

/** One prepared context to count. */
interface Recall {
  tenantId: TenantId;
  scopeKey: ScopeKey;
  /** The origins of the items in the context; empty for an empty context. */
  items: Origin[];
  /** Estimated tokens of the context. */
  recalledTokens: number;
}

/** Dependencies of `countRecall`. */
export interface RecallDeps {
  logger: Logger;
  clock: Clock;
  /** Whether tokens are estimated. */
  estimates: boolean;
}

/**
 * Adds a preparation to the counters of its Scope and day, with the evidence that its items go back to (spec 20 P12). Takes one
 * round trip. Never rejects: it logs a failure.
 *
 * @param sql single statements, outside of a transaction
 */
export async function countRecall(
  { logger, clock, estimates }: RecallDeps,
  sql: Sql,
  { tenantId, scopeKey, items, recalledTokens }: Recall,
): Promise<void> {
  try {
    await sql.rows(addRecall, [
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

/** The estimator of a row of counters; empty while estimation is off (spec 20 T7). */
export function recallEstimator(estimates: boolean): string {
  return estimates ? `${tokenEstimator.estimator_id}/${tokenEstimator.version}` : '';
}
