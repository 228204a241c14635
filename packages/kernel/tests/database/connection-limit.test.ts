import { setTimeout as delay } from 'node:timers/promises';
import { underLoad } from '@continuity/testing';
import { expect, test } from 'vitest';
import { ConnectionLimit } from '../../src/database/connection-limit.ts';

/** Work that runs until it is let go. */
function startWork(limit: ConnectionLimit, key: string) {
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  let isRunning = false;
  const done = limit.run(key, async () => {
    isRunning = true;
    await end;
  });
  // A test may look at the refusal later.
  done.catch(() => undefined);
  return { done, finish, isRunning: () => isRunning };
}

async function runningOf(works: ReturnType<typeof startWork>[]): Promise<number> {
  await delay(0);
  return works.filter(({ isRunning }) => isRunning()).length;
}

test.each([
  [10, [5, 2, 1, 1, 1]],
  [6, [3, 1, 1]],
  [3, [1, 1, 1]],
  [1, [1, 1]],
])('of %i connections each key holds at most half of those that others leave: %j', async (size, expected) => {
  const limit = new ConnectionLimit(size, () => false);
  for (const [index, running] of expected.entries()) {
    const works = Array.from({ length: 20 }, () => startWork(limit, `key ${index}`));
    expect(await runningOf(works)).toBe(running);
  }
});

test('waiting work runs in order as work of its key ends, and a failure frees its connection too', async () => {
  const limit = new ConnectionLimit(2, () => false);
  const order: number[] = [];
  const works = Array.from({ length: 100 }, (_, index) =>
    limit.run('key', async () => {
      order.push(index);
      await delay(0);
      if (index % 2 === 0) throw new Error('failed');
    }),
  );
  const outcomes = await Promise.allSettled(works);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
  expect(order).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test('work of a stuck key is refused after 3 s, later work at once, and it runs again when the key goes on', async () => {
  const limit = new ConnectionLimit(2, () => false);
  const stuck = startWork(limit, 'key');
  const from = performance.now();
  const refusal = { code: 'database_unavailable' };
  await expect(startWork(limit, 'key').done).rejects.toMatchObject(refusal);
  expect(performance.now() - from).toBeGreaterThan(2_900);

  const later = performance.now();
  await expect(startWork(limit, 'key').done).rejects.toMatchObject(refusal);
  expect(performance.now() - later).toBeLessThan(underLoad(500));
  expect(await runningOf([startWork(limit, 'other key')])).toBe(1);

  stuck.finish();
  await stuck.done;
  expect(await runningOf([startWork(limit, 'key')])).toBe(1);
});

test('work that waits for a busy pool is refused 3 s after the pool is free', async () => {
  let isPoolBusy = true;
  const limit = new ConnectionLimit(2, () => isPoolBusy);
  const running = startWork(limit, 'key');
  const waiting = startWork(limit, 'key');
  const outcome = waiting.done.then(
    () => 'done',
    () => 'refused',
  );
  expect(await Promise.race([outcome, delay(3_500, 'waiting')])).toBe('waiting');
  isPoolBusy = false;
  // Only now the running work has its connection.
  expect(await Promise.race([outcome, delay(2_500, 'waiting')])).toBe('waiting');
  expect(await outcome).toBe('refused');
  running.finish();
});

test('time in which the process cannot run does not make a key stuck', async () => {
  let isPoolBusy = true;
  const limit = new ConnectionLimit(2, () => isPoolBusy);
  const running = startWork(limit, 'key');
  const waiting = startWork(limit, 'key');
  // One check finds the pool busy, and the next one comes late and finds it free.
  await delay(150);
  isPoolBusy = false;
  const blockedUntil = performance.now() + 3_500;
  while (performance.now() < blockedUntil);
  await delay(300);
  running.finish();
  waiting.finish();
  await waiting.done;
});
