import type { Backoff } from '@continuity/kernel/process';
import type { InferenceFailure } from '../../inference/index.ts';
import type { RetryState } from './window.ts';

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
