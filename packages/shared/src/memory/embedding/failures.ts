import { type Sql, statement } from '@continuity/shared/kernel';
import type { EmbeddingScope, PendingEntry } from './pending.ts';

/** A text that the model gave no vector for, while it gave one for another. */
export type FailedEntry = PendingEntry & { reason: 'refused' | 'invalid_output' };

/** First and longest pause before a text is tried again by itself, and after how many failures it is not. */
const firstRetryMs = 5_000;
const longestRetryMs = 600_000;
export const maxFailures = 6;

/** First and longest pause before a Scope is tried again whose endpoint did not answer. */
const firstBackoffMs = 1_000;
const longestBackoffMs = 30_000;

const noteTexts = statement(
  'note_failed_embeddings',
  `INSERT INTO failed_embeddings AS f
     (tenant_id, scope_key, profile_key, artifact_key, entry_id, version, reason, failures, retry_at)
   SELECT $1, $2, $3, g.artifact_key, g.entry_id, g.version, g.reason, g.failures, now() + g.retry_ms * interval '1 ms'
   FROM jsonb_to_recordset($4::jsonb) AS g(
     artifact_key bigint, entry_id uuid, version int, reason text, failures int, retry_ms int)
   ON CONFLICT (tenant_id, scope_key, profile_key, artifact_key, entry_id) DO UPDATE SET
     version = excluded.version, reason = excluded.reason, failures = excluded.failures, retry_at = excluded.retry_at`,
);

/** Keeps texts for a later try, or parks them after the sixth. Answers how many were parked. */
export async function noteFailedTexts(
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
    retry_ms: failures + 1 >= maxFailures ? null : pauseMs(failures, firstRetryMs, longestRetryMs),
  }));
  await sql.rows(noteTexts, [tenantId, scopeKey, profileKey, JSON.stringify(rows)]);
  return rows.filter(({ retry_ms }) => retry_ms === null).length;
}

const noteRun = statement(
  'note_failed_embedding_run',
  `WITH noted AS (
     INSERT INTO memory_embedding_totals AS t (tenant_id, scope_key, profile_key, failed_runs) VALUES ($1, $2, $3, 1)
     ON CONFLICT (tenant_id, scope_key, profile_key) DO UPDATE SET failed_runs = t.failed_runs + 1
     RETURNING failed_runs
   )
   UPDATE memory_totals m SET embedding_due_at =
     now() + least(${longestBackoffMs}, ${firstBackoffMs} * 2 ^ least(failed_runs - 1, 20)) * interval '1 ms'
   FROM noted WHERE m.tenant_id = $1 AND m.scope_key = $2`,
);

/** Lets the Scope wait: a second, doubling to 30 s with each failure in a row. */
export async function noteFailedRun(sql: Sql, scope: EmbeddingScope): Promise<void> {
  await sql.rows(noteRun, [scope.tenantId, scope.scopeKey, scope.profileKey]);
}

function pauseMs(failures: number, first: number, longest: number): number {
  return Math.min(longest, first * 2 ** failures);
}
