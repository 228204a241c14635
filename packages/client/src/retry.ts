import { ConnectionError, ServiceError, UnexpectedAnswerError } from './errors.ts';
import type { ClientOperation } from './operation.ts';

const firstDelayMs = 100;
const maxDelayMs = 5_000;
/** A longer `Retry-After` is thrown, so that the caller decides. */
const maxWaitSeconds = 60;

/** Codes of what an operator has switched off: a repeat gets the same answer. */
const switchedOff: readonly string[] = [
  'generation_unavailable',
  'handoff_generation_unavailable',
  'external_skill_registry_unavailable',
];

/** Codes that say that nothing was done. */
const refusedBeforeWork: readonly string[] = ['rate_limited', 'runtime_not_ready', 'worker_unavailable'];

/**
 * Milliseconds until the next attempt; undefined if the failure is final. The delay is exponential with full jitter, and at least
 * `Retry-After`. `attempt` counts from one.
 */
export function delayBeforeRetry(
  failure: unknown,
  attempt: number,
  { repeat }: Pick<ClientOperation, 'repeat'>,
  random: () => number = Math.random,
): number | undefined {
  if (!mayRepeat(failure, repeat !== 'unsafe')) return undefined;
  const jittered = random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  const retryAfter = failure instanceof ServiceError ? (failure.retryAfterSeconds ?? 0) : 0;
  return retryAfter > maxWaitSeconds ? undefined : retryAfter * 1_000 + jittered;
}

function mayRepeat(failure: unknown, isSafe: boolean): boolean {
  if (failure instanceof ConnectionError) return isSafe;
  if (failure instanceof UnexpectedAnswerError) return isSafe && [502, 503, 504].includes(failure.status);
  if (!(failure instanceof ServiceError)) return false;
  if (switchedOff.includes(failure.code)) return false;
  if (refusedBeforeWork.includes(failure.code)) return true;
  // A job that was stored runs later: its result is waited for instead.
  if (failure.is('job_timeout')) return false;
  if (failure.is('queue_unavailable')) return failure.details.job_id === undefined;
  return isSafe && failure.status === 503;
}
