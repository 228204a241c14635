/** `T` without its falsy values. */
type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

/** A tenth of the time that has passed, from 20 to 100 ms: a poll of a starting service takes processor time from its start. */
const pauseAfter = (passedMs: number): number => Math.min(Math.max(20, passedMs / 10), 100);

/**
 * Polls `condition` until it returns a truthy value, and resolves to that value. Throws after `timeoutMs` (default 90 s)
 * with the description `what`. An error in `condition` ends the wait at once. Without `intervalMs`, the polls are 20 ms apart at
 * first, and 100 ms after a second.
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  options: { timeoutMs?: number; intervalMs?: number; what?: string } = {},
): Promise<Truthy<T>> {
  const { timeoutMs = 90_000, intervalMs, what = String(condition) } = options;
  const startedAt = performance.now();
  for (;;) {
    const answer = await condition();
    if (answer) return answer as Truthy<T>;
    const passedMs = performance.now() - startedAt;
    if (passedMs > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((wake) => setTimeout(wake, intervalMs ?? pauseAfter(passedMs)));
  }
}
