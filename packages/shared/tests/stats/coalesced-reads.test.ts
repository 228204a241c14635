import { setImmediate as loopTurn } from 'node:timers/promises';
import { CoalescedReads } from '@continuity/shared/stats';
import { waitUntil } from '@continuity/testing';
import { expect, test } from 'vitest';

/** Reads of a counter, each of which the test ends. */
function countedReads() {
  const reads = new CoalescedReads<number>();
  const begun: PromiseWithResolvers<void>[] = [];
  const read = (key = 'key') =>
    reads.read(key, async () => {
      const end = Promise.withResolvers<void>();
      const number = begun.push(end);
      await end.promise;
      return number;
    });
  const toBegin = (count: number) => waitUntil(() => begun.length === count, { intervalMs: 0 });
  return { begun, read, toBegin };
}

test('callers that arrive during a read share the next one, which begins after their calls', async () => {
  const { begun, read, toBegin } = countedReads();
  const first = read();
  await toBegin(1);
  const later = [read(), read(), read()];
  begun[0]?.resolve();
  expect(await first).toBe(1);
  await toBegin(2);
  begun[1]?.resolve();
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
});

test('callers of a burst share one read, even if it lasts some turns of the event loop', async () => {
  const { begun, read, toBegin } = countedReads();
  const burst = [read()];
  for (let turn = 1; turn < 4; turn += 1) {
    await loopTurn();
    burst.push(read());
  }
  await toBegin(1);
  begun[0]?.resolve();
  expect(await Promise.all(burst)).toEqual([1, 1, 1, 1]);
});

test('further callers do not postpone a read indefinitely', async () => {
  const { begun, read, toBegin } = countedReads();
  const callers = [read()];
  while (begun.length === 0 && callers.length < 100) {
    await loopTurn();
    callers.push(read());
  }
  expect(callers.length).toBeLessThan(100);
  begun[0]?.resolve();
  await toBegin(2);
  begun[1]?.resolve();
  expect(new Set(await Promise.all(callers))).toEqual(new Set([1, 2]));
});

test('one read of a key runs at a time', async () => {
  const { begun, read, toBegin } = countedReads();
  const first = read();
  await toBegin(1);
  const second = read();
  // Many turns of the event loop, in which the second read could begin.
  for (let turn = 0; turn < 20; turn += 1) await loopTurn();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  await toBegin(2);
  begun[1]?.resolve();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});

test('a caller after the end of a read gets a new one', async () => {
  const { begun, read, toBegin } = countedReads();
  for (const number of [1, 2, 3]) {
    const result = read();
    await toBegin(number);
    begun[number - 1]?.resolve();
    expect(await result).toBe(number);
  }
});

test('reads with different keys do not wait for each other', async () => {
  const { begun, read, toBegin } = countedReads();
  const [one, other] = [read('one'), read('other')];
  await toBegin(2);
  begun[1]?.resolve();
  expect(await other).toBe(2);
  begun[0]?.resolve();
  expect(await one).toBe(1);
});

test('a failed read fails its own callers alone', async () => {
  const { begun, read, toBegin } = countedReads();
  const failing = read();
  await toBegin(1);
  const next = read();
  begun[0]?.reject(new Error('The database is gone.'));
  await expect(failing).rejects.toThrow('The database is gone.');
  await toBegin(2);
  begun[1]?.resolve();
  expect(await next).toBe(2);
});
