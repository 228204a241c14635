import { optimizationFence, pick, type Sql, statement, tables } from '@continuity/kernel/database';
import type { EmbeddingScope } from './embedding-scope.ts';
import type { PendingEntry } from './pending.ts';

const selectRetries = statement(
  'select_embeddings_to_retry',
  `WITH due AS MATERIALIZED (
     SELECT artifact_key, entry_id, version, failures FROM failed_embeddings
     WHERE tenant_id = $1 AND scope_key = $2 AND profile_key = $3 AND retry_at <= now()
     ORDER BY retry_at LIMIT $4
   ), current AS MATERIALIZED (
     SELECT d.*, v.text FROM due d
     CROSS JOIN LATERAL (
       SELECT FROM memory_states s
       WHERE s.tenant_id = $1 AND s.artifact_key = d.artifact_key AND s.entry_id = d.entry_id
         AND s.valid_to IS NULL AND s.active AND s.version = d.version
       ${optimizationFence}
     ) AS s
     CROSS JOIN LATERAL (
       SELECT v.text FROM memory_versions v
       WHERE v.tenant_id = $1 AND v.artifact_key = d.artifact_key AND v.entry_id = d.entry_id AND v.version = d.version
       ${optimizationFence}
     ) AS v
   ), stale AS (
     DELETE FROM failed_embeddings f USING due d
     WHERE f.tenant_id = $1 AND f.scope_key = $2 AND f.profile_key = $3
       AND f.artifact_key = d.artifact_key AND f.entry_id = d.entry_id
       AND NOT EXISTS (SELECT FROM current s WHERE s.artifact_key = d.artifact_key AND s.entry_id = d.entry_id)
   )
   SELECT artifact_key, entry_id, version, text, failures FROM current`,
  {
    ...pick(tables.failed_embeddings, 'artifact_key', 'entry_id', 'version', 'failures'),
    text: tables.memory_versions.text,
  },
);

/** Reads failed texts that are due for a retry. Deletes the failures of texts that have changed. */
export async function readRetries(
  sql: Sql,
  { tenantId, scopeKey, profileKey }: EmbeddingScope,
  limit: number,
): Promise<PendingEntry[]> {
  const rows = await sql.rows(selectRetries, [tenantId, scopeKey, profileKey, limit]);
  return rows.map(({ artifact_key, entry_id, version, text, failures }) => ({
    artifactKey: artifact_key,
    entryId: entry_id,
    version,
    text,
    failures,
  }));
}
