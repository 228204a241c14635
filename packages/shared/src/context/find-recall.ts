import { forgivingWrite, statement } from '@continuity/shared/kernel';
import type { Origin } from './candidate.ts';
import { addToDay } from './recall-day.ts';

/** Revisions that are gone through, and Sources that are added up, at most: far more than eight items have as a rule. */
const maxRevisions = 2_000;
const maxSources = 10_000;

/**
 * Adds a preparation where the evidence of some item is not known, and finds it: items that cite Artifacts, and what was written
 * before evidence was kept.
 *
 * The evidence Sources of each item: those of an entry's version or an Experience's revision, and those of the revisions that
 * these were made from, whatever that was made from in turn. All are of the item's own Scope; what only records how an
 * Artifact was written is no evidence. An item's version is looked for from the newest on, which it is or was just now. What
 * is reached by two ways is gone through twice: UNION ALL, because the hash table that finds it out costs more than all else.
 */
export const addFoundRecall = statement(
  'add_recall',
  `WITH RECURSIVE made AS (
     SELECT i.n, c.scope_key, made.sources, made.artifacts
     FROM unnest($6::text[], $7::text[], $8::text[], $9::int[], $10::uuid[], $11::uuid[])
       WITH ORDINALITY AS i(scope_id, family, artifact_id, revision, entry_id, entry_version_id, n)
     CROSS JOIN LATERAL (
       SELECT c.scope_key FROM scopes c WHERE c.tenant_id = $1 AND c.scope_id = i.scope_id OFFSET 0
     ) AS c
     CROSS JOIN LATERAL (
       SELECT a.artifact_key FROM artifacts a
       WHERE a.tenant_id = $1 AND a.scope_key = c.scope_key AND a.family = i.family AND a.artifact_id = i.artifact_id
       OFFSET 0
     ) AS a
     CROSS JOIN LATERAL (
       (SELECT v.source_refs AS sources, v.artifact_refs AS artifacts FROM memory_versions v
        WHERE v.tenant_id = $1 AND v.artifact_key = a.artifact_key AND v.entry_id = i.entry_id
          AND v.entry_version_id = i.entry_version_id
        ORDER BY v.version DESC LIMIT 1)
       UNION ALL
       SELECT r.sources, r.artifacts FROM artifact_revisions r
       WHERE i.entry_id IS NULL AND r.tenant_id = $1 AND r.artifact_key = a.artifact_key AND r.revision = i.revision
     ) AS made
     UNION ALL
     SELECT m.n, m.scope_key, r.sources, r.artifacts
     FROM made m
     CROSS JOIN LATERAL jsonb_array_elements(m.artifacts) AS ref
     CROSS JOIN LATERAL (
       SELECT a.artifact_key FROM artifacts a
       WHERE a.tenant_id = $1 AND a.scope_key = m.scope_key AND a.family = ref ->> 'family'
         AND a.artifact_id = ref ->> 'artifact_id'
       OFFSET 0
     ) AS a
     CROSS JOIN LATERAL (
       SELECT r.sources, r.artifacts FROM artifact_revisions r
       WHERE r.tenant_id = $1 AND r.artifact_key = a.artifact_key AND r.revision = (ref ->> 'revision')::int
       OFFSET 0
     ) AS r
   )
   ${addToDay(`
     SELECT cardinality($6) > 0 AS is_ready,
            count(*) > 0 AND count(DISTINCT n) = cardinality($6) AND bool_and(tokens IS NOT NULL) AS is_comparable,
            sum(tokens) FILTER (WHERE use = 1) AS baseline,
            ${forgivingWrite}
     FROM (
       SELECT ref.n, s.tokens, row_number() OVER (PARTITION BY ref.scope_key, s.position) AS use
       FROM (
         SELECT m.n, m.scope_key, coalesce(ref ->> 'name', ref ->> 'source_type') AS source_type,
                ref ->> 'source_id' AS source_id
         FROM (SELECT * FROM made LIMIT ${maxRevisions}) AS m CROSS JOIN LATERAL jsonb_array_elements(m.sources) AS ref
         LIMIT ${maxSources}
       ) AS ref
       CROSS JOIN LATERAL (
         SELECT s.position, s.tokens, s.record FROM sources s
         WHERE s.tenant_id = $1 AND s.scope_key + 0 = ref.scope_key AND s.source_type = ref.source_type
           AND s.source_id = ref.source_id
         OFFSET 0
       ) AS s
       WHERE s.record IS DISTINCT FROM 'artifact-write'
     ) AS evidence`)}`,
);

/** The items as parameters of `addFoundRecall`, after those of `addToDay`. */
export function itemParameters(items: readonly Origin[]): unknown[] {
  return [
    items.map(({ scopeId }) => scopeId),
    items.map(({ artifact }) => artifact.family),
    items.map(({ artifact }) => artifact.artifact_id),
    items.map(({ artifact }) => artifact.revision),
    items.map(({ entry }) => entry?.entry_id ?? null),
    items.map(({ entry }) => entry?.entry_version_id ?? null),
  ];
}
