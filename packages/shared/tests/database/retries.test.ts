import { isRetryable } from '@continuity/kernel/errors';
import { afterEach, expect, test, vi } from 'vitest';
import { openOwnDatabase } from '../support/database.ts';

const { database } = await openOwnDatabase('retries');

afterEach(() => {
  vi.restoreAllMocks();
});

/** A transaction that fails as a deadlock does. Answers the pauses between its attempts, in milliseconds. */
async function pausesOf(failures: number): Promise<{ pauses: number[]; error: unknown }> {
  const starts: number[] = [];
  const error = await database
    .transaction(async () => {
      starts.push(performance.now());
      if (starts.length <= failures) throw Object.assign(new Error('deadlock'), { code: '40P01' });
    })
    .catch((failure: unknown) => failure);
  return { pauses: starts.slice(1).map((start, index) => start - (starts[index] ?? 0)), error };
}

test('a transaction that PostgreSQL aborts is repeated after longer and longer delays', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  const { pauses, error } = await pausesOf(4);
  expect(error).toBeUndefined();
  expect(pauses).toHaveLength(4);
  for (const [index, atLeast] of [18, 38, 78, 158].entries())
    expect(pauses[index]).toBeGreaterThanOrEqual(atLeast);
});

test('the fifth failure is final, and the delays are random', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { pauses, error } = await pausesOf(5);
  expect(isRetryable(error)).toBe(true);
  expect(pauses).toHaveLength(4);
  expect(Math.min(...pauses.slice(2))).toBeLessThan(78);
});
