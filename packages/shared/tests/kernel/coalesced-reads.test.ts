import { setImmediate } from 'node:timers/promises';
import { CoalescedReads } from '@continuity/shared/kernel';
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
  return { begun, read };
}

test('callers that arrive during a read share the next one, which begins after their calls', async () => {
  const { begun, read } = countedReads();
  const first = read();
  const later = [read(), read(), read()];
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  expect(await first).toBe(1);
  await setImmediate();
  begun[1]?.resolve();
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
});

test('a caller after the end of a read gets a new one', async () => {
  const { begun, read } = countedReads();
  for (const number of [1, 2, 3]) {
    const result = read();
    await setImmediate();
    begun[number - 1]?.resolve();
    expect(await result).toBe(number);
  }
});

test('reads with different keys do not wait for each other', async () => {
  const { begun, read } = countedReads();
  const [one, other] = [read('one'), read('other')];
  begun[1]?.resolve();
  expect(await other).toBe(2);
  begun[0]?.resolve();
  expect(await one).toBe(1);
});

test('a failed read fails its own callers alone', async () => {
  const { begun, read } = countedReads();
  const [failing, next] = [read(), read()];
  begun[0]?.reject(new Error('The database is gone.'));
  await expect(failing).rejects.toThrow('The database is gone.');
  await setImmediate();
  begun[1]?.resolve();
  expect(await next).toBe(2);
});
