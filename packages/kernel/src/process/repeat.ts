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
