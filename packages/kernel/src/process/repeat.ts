import { pause } from './time.ts';

export interface Repetition {
  /** Ends the repetition and resolves after the running round. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Runs `work` periodically, first after one interval. Rounds never overlap: the interval starts when a round ends. `onError` gets
 * the error of a failed round, and the repetition continues.
 */
export function repeat(
  intervalMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repetition {
  let isStopped = false;
  let round = Promise.resolve();
  const next = () => {
    round = work()
      .catch(onError)
      .then(() => {
        if (!isStopped) timer = setTimeout(next, intervalMs);
      });
  };
  let timer = setTimeout(next, intervalMs);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}

/**
 * The delays of attempts that fail again and again. A failure counts as consecutive if it comes within `longestMs` after the end of the
 * last delay: so a connection that lived for a while is opened again after the first delay.
 */
export class RetryDelays {
  readonly #backoff: Backoff;
  #failures = 0;
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(backoff: Backoff) {
    this.#backoff = backoff;
  }

  /** The delay before the next attempt, in milliseconds. Call it once for each failure. */
  next(): number {
    const now = performance.now();
    this.#failures = now - this.#endsAt > this.#backoff.longestMs ? 1 : this.#failures + 1;
    const delay = backoffMs(this.#backoff, this.#failures);
    this.#endsAt = now + delay;
    return delay;
  }
}

interface RetryOptions {
  backoff: Backoff;
  /** Ends the attempts. */
  stop: AbortSignal;
  /** Receives each failure, unless `stop` has aborted. Throws an error that no further attempt can mend. */
  onFailure: (error: unknown) => void;
}

/**
 * Calls `attempt` at least once and until it succeeds, with a growing delay after each failure, and returns its result. Undefined if
 * `stop` aborts before. Every loop of the service that retries without a limit uses it, or `RetryDelays`.
 */
export async function retryUntilStopped<T>(
  attempt: () => Promise<T>,
  { backoff, stop, onFailure }: RetryOptions,
): Promise<T | undefined> {
  const delays = new RetryDelays(backoff);
  do {
    try {
      return await attempt();
    } catch (error) {
      if (stop.aborted) return undefined;
      onFailure(error);
      await pause(delays.next(), stop);
    }
  } while (!stop.aborted);
  return undefined;
}

/** Delays between retries, in milliseconds. The delay doubles with each consecutive failure, up to the longest one. */
export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/** The delay after `failures` consecutive failures, of which there is at least one. */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}

/** A random part of `backoffMs`, for retries that would otherwise meet again. */
export function jitteredBackoffMs(backoff: Backoff, failures: number): number {
  return Math.random() * backoffMs(backoff, failures);
}

/** `backoffMs` as an SQL interval. `failures` is an SQL expression. */
export function backoffSql({ firstMs, longestMs }: Backoff, failures: string): string {
  // Without a bound, the power of a long outage exceeds the range of a number.
  return `least(${longestMs}, ${firstMs} * 2 ^ least(${failures} - 1, 20)) * interval '1 ms'`;
}
