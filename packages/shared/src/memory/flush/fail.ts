import { type Sql, statement, type TenantId } from '@continuity/kernel/database';
import type { ServiceError } from '@continuity/kernel/errors';
import { backoffMs } from '@continuity/kernel/process';
import { InferenceError, inferenceFailed } from '../../inference/index.ts';
import { afterFailure, flushBackoff } from './retry.ts';
import type { FlushWindow } from './window.ts';

/** Fenced by the cursor, so that a late failure does not affect the next window. */
const recordStatement = statement(
  'record_failed_flush',
  `UPDATE source_sequences SET
     failed_flushes = $4, invalid_outputs = $5, window_limit = $6,
     flush_due_at = CASE WHEN $7::int IS NULL THEN flush_due_at ELSE now() + $7::int * interval '1 ms' END
   WHERE tenant_id = $1 AND scope_key = $2 AND extraction_cursor = $3`,
);

/** Records a failed attempt and schedules the next one (spec 20 F12, A4). Does not move the cursor. */
export async function recordFailure(
  sql: Sql,
  tenantId: TenantId,
  window: FlushWindow,
  error: unknown,
  autoFlush: boolean,
): Promise<void> {
  const reason = error instanceof InferenceError ? error.reason : 'other';
  const { failedFlushes, invalidOutputs, windowLimit } = afterFailure(
    window.retry,
    reason,
    window.sources.length,
  );
  const values = [tenantId, window.scopeKey, window.cursor, failedFlushes, invalidOutputs, windowLimit];
  await sql.rows(recordStatement, [...values, autoFlush ? backoffMs(flushBackoff, failedFlushes) : null]);
}

/** The 503 of a flush whose extraction failed (spec 20 F11). */
export function extractionFailure(error: InferenceError): ServiceError {
  return inferenceFailed(error, 'Nothing changed; flush again.');
}
