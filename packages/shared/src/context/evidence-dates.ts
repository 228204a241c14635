import { column, optimizationFence, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import type { ContextHit } from './context-hit.ts';

/**
 * Parameters: tenant, then one array for each column of an item. The version was current a moment ago, so the newest is read first.
 * At most 32 times for each item (spec 20 M12), as text: PostgreSQL knows no offsets of 16 hours and more, which RFC 3339 allows.
 */
const findDates = statement(
  'find_evidence_dates',
  `SELECT i.n::int AS place, array_agg(s.occurred_at) AS times
   FROM unnest($2::text[], $3::text[], $4::uuid[], $5::uuid[])
     WITH ORDINALITY AS i(scope_id, artifact_id, entry_id, entry_version_id, n)
   CROSS JOIN LATERAL (
     SELECT c.scope_key FROM scopes c WHERE c.tenant_id = $1 AND c.scope_id = i.scope_id ${optimizationFence}
   ) AS c
   CROSS JOIN LATERAL (
     SELECT a.artifact_key FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = c.scope_key AND a.family = 'memory' AND a.artifact_id = i.artifact_id
     ${optimizationFence}
   ) AS a
   CROSS JOIN LATERAL (
     SELECT v.source_refs FROM memory_versions v
     WHERE v.tenant_id = $1 AND v.artifact_key = a.artifact_key AND v.entry_id = i.entry_id
       AND v.entry_version_id = i.entry_version_id
     ORDER BY v.version DESC LIMIT 1
   ) AS v
   CROSS JOIN LATERAL jsonb_array_elements(v.source_refs) AS ref
   CROSS JOIN LATERAL (
     SELECT s.occurred_at FROM sources s
     WHERE s.tenant_id = $1 AND s.scope_key + 0 = c.scope_key AND s.source_type = ref ->> 'name'
       AND s.source_id = ref ->> 'source_id' AND s.occurred_at IS NOT NULL
     ${optimizationFence}
   ) AS s
   GROUP BY i.n`,
  { place: column.integer, times: column.text.array() },
);

/**
 * Gives each Memory entry the earliest time at which its evidence was said, where that is known (spec 25 Q11). Others keep the time of
 * their revision. One round trip, and none without entries.
 */
export async function dateByEvidence(
  sql: Sql,
  tenantId: TenantId,
  hits: readonly ContextHit[],
): Promise<ContextHit[]> {
  const entries = hits.flatMap(({ origin: { scopeId, artifact, entry } }, index) =>
    entry === null ? [] : [{ index, scopeId, artifactId: artifact.artifact_id, ...entry }],
  );
  const dated = [...hits];
  if (entries.length === 0) return dated;
  const rows = await sql.rows(findDates, [
    tenantId,
    entries.map(({ scopeId }) => scopeId),
    entries.map(({ artifactId }) => artifactId),
    entries.map(({ entry_id }) => entry_id),
    entries.map(({ entry_version_id }) => entry_version_id),
  ]);
  for (const { place, times } of rows) {
    const index = entries[place - 1]?.index ?? -1;
    const hit = dated[index];
    if (hit !== undefined) dated[index] = { ...hit, saidAt: new Date(Math.min(...times.map(Date.parse))) };
  }
  return dated;
}
