const firstBackOffMs = 5_000;
const maxBackOffMs = 300_000;
/** Syncs of many Receivers spread by up to this part of their delay. */
const maxSpread = 0.1;

/**
 * Milliseconds until the next sync: the interval, or after failures an exponential back-off, and at least `Retry-After`. `failures`
 * counts the failed syncs in a row.
 */
export function nextDelayMs(
  {
    failures,
    intervalMs,
    retryAfterSeconds,
  }: { failures: number; intervalMs: number; retryAfterSeconds: number },
  random: () => number = Math.random,
): number {
  const base = failures === 0 ? intervalMs : Math.min(maxBackOffMs, firstBackOffMs * 2 ** (failures - 1));
  const spread = base * (1 + maxSpread * (2 * random() - 1));
  return Math.max(spread, retryAfterSeconds * 1_000);
}
