/** `T` without its falsy values. */
export type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

/**
 * Polls `condition` until it returns a truthy value, and resolves to that value. Throws after `timeoutMs` (default 10 s)
 * with the description `what`. An error in `condition` ends the wait at once.
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  options: { timeoutMs?: number; intervalMs?: number; what?: string } = {},
): Promise<Truthy<T>> {
  const { timeoutMs = 10_000, intervalMs = 20, what = String(condition) } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer) return answer as Truthy<T>;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((wake) => setTimeout(wake, intervalMs));
  }
}
