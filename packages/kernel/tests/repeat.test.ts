import { waitUntil } from '@continuity/testing';
import { expect, it, vi } from 'vitest';
import { RetryDelays, repeat, retryUntilStopped } from '../src/process/repeat.ts';

it('repeats work that fails, never overlaps, and waits for the round under way when stopped', async () => {
  const errors: unknown[] = [];
  let rounds = 0;
  let running = 0;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const repetition = repeat(
    1,
    async () => {
      rounds += 1;
      running += 1;
      expect(running).toBe(1);
      if (rounds === 3) await held;
      running -= 1;
      if (rounds < 3) throw new Error(`round ${rounds}`);
    },
    (error) => errors.push(error),
  );
  await waitUntil(() => rounds === 3);
  let isStopped = false;
  const stopped = Promise.all([repetition.stop(), repetition.stop()]).then(() => {
    isStopped = true;
  });
  await new Promise((tick) => setImmediate(tick));
  expect(isStopped).toBe(false);
  letGo();
  await stopped;
  expect(running).toBe(0);
  expect(rounds).toBe(3);
  expect(errors).toMatchObject([{ message: 'round 1' }, { message: 'round 2' }]);
});

it('retries with growing delays until the work succeeds, and begins with the first delay after a while without failures', async () => {
  const errors: unknown[] = [];
  let attempts = 0;
  const result = await retryUntilStopped(
    async () => {
      attempts += 1;
      if (attempts < 4) throw new Error(`attempt ${attempts}`);
      return attempts;
    },
    {
      backoff: { firstMs: 1, longestMs: 2 },
      stop: new AbortController().signal,
      onFailure: (error) => errors.push(error),
    },
  );
  expect([result, errors.length]).toEqual([4, 3]);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  try {
    const delays = new RetryDelays({ firstMs: 1_000, longestMs: 5_000 });
    expect([1, 2, 3, 4, 5].map(() => delays.next())).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
    now.mockReturnValue(10_000);
    expect(delays.next()).toBe(5_000);
    now.mockReturnValue(20_001);
    expect(delays.next()).toBe(1_000);
  } finally {
    now.mockRestore();
  }
});

it('stops the retries at once', async () => {
  const stop = new AbortController();
  const retried = retryUntilStopped(() => Promise.reject(new Error('down')), {
    backoff: { firstMs: 3_600_000, longestMs: 3_600_000 },
    stop: stop.signal,
    onFailure: () => setImmediate(() => stop.abort()),
  });
  expect(await retried).toBeUndefined();
});
