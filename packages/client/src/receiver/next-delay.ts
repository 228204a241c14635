const firstBackOffMs = 5_000;
const maxBackOffMs = 300_000;
/** Maximum random change of a delay, as a fraction, so that many Receivers do not sync at once. */
const maxSpread = 0.1;

/**
 * Milliseconds until the next sync: the interval, or an exponential back-off after failures. At least `Retry-After`. `failures` counts
 * consecutive failed syncs.
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
