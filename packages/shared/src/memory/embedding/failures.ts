import { optimizationFence, pick, type Sql, statement, tables } from '@continuity/kernel/database';
import { type Backoff, backoffMs, backoffSql } from '@continuity/kernel/process';
import type { PendingEntry } from './pending.ts';
import type { EmbeddingScope } from './profile.ts';

/** An entry that the model cannot embed although it embeds other texts. */
export type FailedEntry = PendingEntry & { reason: 'refused' | 'invalid_output' };

/** Number of failures after which a text is parked. */
const maxFailures = 6;

const textBackoff: Backoff = { firstMs: 5_000, longestMs: 600_000 };
const runBackoff: Backoff = { firstMs: 1_000, longestMs: 30_000 };

const recordTexts = statement(
  'record_failed_embeddings',
  `INSERT INTO failed_embeddings AS f
     (tenant_id, scope_key, profile_key, artifact_key, entry_id, version, reason, failures, retry_at)
   SELECT $1, $2, $3, g.artifact_key, g.entry_id, g.version, g.reason, g.failures, now() + g.retry_ms * interval '1 ms'
   FROM jsonb_to_recordset($4::jsonb) AS g(
     artifact_key bigint, entry_id uuid, version int, reason text, failures int, retry_ms int)
   ON CONFLICT (tenant_id, scope_key, profile_key, artifact_key, entry_id) DO UPDATE SET
     version = excluded.version, reason = excluded.reason, failures = excluded.failures, retry_at = excluded.retry_at`,
);

/** Schedules a retry of failed texts, or parks them after the sixth failure. Returns the number of parked texts. */
export async function recordFailedTexts(
  sql: Sql,
  { tenantId, scopeKey, profileKey }: EmbeddingScope,
  entries: FailedEntry[],
): Promise<number> {
  const rows = entries.map(({ artifactKey, entryId, version, reason, failures }) => ({
    artifact_key: artifactKey,
    entry_id: entryId,
    version,
    reason,
    failures: failures + 1,
    retry_ms: failures + 1 >= maxFailures ? null : backoffMs(textBackoff, failures + 1),
  }));
  await sql.rows(recordTexts, [tenantId, scopeKey, profileKey, JSON.stringify(rows)]);
  return rows.filter(({ retry_ms }) => retry_ms === null).length;
}

const recordRun = statement(
  'record_failed_embedding_run',
  `WITH recorded AS (
     INSERT INTO memory_embedding_totals AS t (tenant_id, scope_key, profile_key, failed_runs) VALUES ($1, $2, $3, 1)
     ON CONFLICT (tenant_id, scope_key, profile_key) DO UPDATE SET failed_runs = t.failed_runs + 1
     RETURNING failed_runs
   )
   UPDATE memory_totals m SET embedding_due_at = now() + ${backoffSql(runBackoff, 'failed_runs')}
   FROM recorded WHERE m.tenant_id = $1 AND m.scope_key = $2`,
);

/** Postpones the next run of the Scope after a failed one. */
export async function recordFailedRun(sql: Sql, scope: EmbeddingScope): Promise<void> {
  await sql.rows(recordRun, [scope.tenantId, scope.scopeKey, scope.profileKey]);
}

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
