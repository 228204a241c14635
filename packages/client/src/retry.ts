import type { ErrorCode } from './contract-types.ts';
import { ConnectionError, ServiceError, UnexpectedAnswerError } from './errors.ts';
import { errorRetries } from './generated/operations.ts';
import type { ClientOperation } from './operation.ts';

const firstDelayMs = 100;
const maxDelayMs = 5_000;
/** A longer `Retry-After` is thrown, so that the caller decides. */
const maxWaitSeconds = 60;

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
  const code: ErrorCode = failure.code;
  switch (errorRetries[code]) {
    case 'always':
      return true;
    case 'if_repeatable':
      return isSafe;
    case 'unless_stored':
      return jobOf(failure) === undefined;
    case null:
      return false;
  }
}

/** The stored job that an error names. */
function jobOf({ details }: ServiceError): unknown {
  return (details as { job_id?: unknown }).job_id;
}

/** Longest delay of a timer: Node ends a longer one at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Waits, at most 24 days; rejects with the reason of the signal when it aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = () => end(() => reject(signal.reason));
    const timer = setTimeout(() => end(resolve), Math.min(ms, maxTimerMs));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
