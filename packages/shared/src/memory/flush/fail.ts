import { type Sql, statement, type TenantId } from '@continuity/kernel/database';
import type { ServiceError } from '@continuity/kernel/errors';
import { type Backoff, backoffMs } from '@continuity/kernel/process';
import { InferenceError, type InferenceFailure, inferenceFailed } from '../../inference/index.ts';
import type { FlushWindow, RetryState } from './window.ts';

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

/** Backoff before the automatic retry of a failed flush (spec 20 A4). */
export const flushBackoff: Backoff = { firstMs: 5_000, longestMs: 600_000 };

/** Failures with invalid output before the window is halved (spec 20 F12). */
const maxInvalidOutputs = 3;

/** Window limit that stands for one Source processed by the built-in extractor. */
export const builtInWindow = 0;

/**
 * The retry state after a failed attempt on `windowSize` Sources. Repeated invalid output halves the window, down to one Source
 * and then to the built-in extractor. Time-outs and outages only back off.
 */
export function afterFailure(
  state: RetryState,
  reason: InferenceFailure | 'other',
  windowSize: number,
): RetryState {
  const failedFlushes = state.failedFlushes + 1;
  if (reason !== 'invalid_output') return { ...state, failedFlushes };
  const invalidOutputs = state.invalidOutputs + 1;
  if (invalidOutputs < maxInvalidOutputs) return { ...state, failedFlushes, invalidOutputs };
  return { failedFlushes, invalidOutputs: 0, windowLimit: Math.floor(windowSize / 2) };
}

/** The retry state after a success: the window doubles up to the configured limit, so that one bad Source costs little. */
export function afterSuccess(state: RetryState, configuredLimit: number): RetryState {
  const grown = state.windowLimit === null ? configuredLimit : Math.max(1, state.windowLimit * 2);
  return { failedFlushes: 0, invalidOutputs: 0, windowLimit: grown >= configuredLimit ? null : grown };
}
