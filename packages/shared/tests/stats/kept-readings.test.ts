import { afterAll, expect, test, vi } from 'vitest';
import { KeptReading } from '../../src/stats/kept-reading.ts';
import { KeptReadings } from '../../src/stats/kept-readings.ts';
import { ScopeBlocks } from '../../src/stats/scope-blocks.ts';
import { TextStore } from '../../src/stats/text-store.ts';
import { writeFrame } from '../../src/stats/write-answer.ts';

// Before the cache takes its clock.
vi.hoisted(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // It takes what began at zero for what never ends.
  vi.advanceTimersByTime(1);
});

afterAll(() => {
  vi.useRealTimers();
});

/** A reading of one Scope, with so many bytes of an answer and of counters. */
async function readingOf(bytes: number, counters = 0): Promise<KeptReading> {
  const out = new TextStore();
  out.text('.'.repeat(bytes));
  const text = out.end();
  const frame = writeFrame({ mode: 'all' }, [{ scopeId: 'a', scopeKey: 1 }]);
  const scopes = await ScopeBlocks.of(frame, [{ whole: text, of: () => text }]);
  const part = { whole: Buffer.alloc(0), bytes: counters, again: () => Promise.reject(new Error()) };
  const of = { tenantId: 1, scopeKeys: [1], startDate: '2026-11-20' };
  return KeptReading.of(of, frame.opening, { horizon: '3', parts: [part], scopes });
}

test('a minute after a reading of everything nothing of it is left, however often it was read again', async () => {
  const kept = new KeptReadings();
  const [first, second, third] = [await readingOf(9), await readingOf(9), await readingOf(9)];
  kept.put('a', undefined, first);
  vi.advanceTimersByTime(40_000);
  kept.put('a', first, second);
  expect(kept.get('a')).toBe(second);
  vi.advanceTimersByTime(21_000);
  expect(kept.get('a')).toBeUndefined();
  // Of one that is gone.
  kept.put('a', second, third);
  expect(kept.get('a')).toBeUndefined();
});

test('of readings at once that were made from the same one, the first to end is kept', async () => {
  const kept = new KeptReadings();
  const [first, second, third] = [await readingOf(9), await readingOf(9), await readingOf(9)];
  kept.put('a', undefined, first);
  kept.put('a', first, second);
  kept.put('a', first, third);
  expect(kept.get('a')).toBe(second);
});

test('no more memory is taken than there is for it: what was asked last stays, and what is too large never comes in', async () => {
  const kept = new KeptReadings();
  const third = 22 * 1024 * 1024;
  for (const asked of ['a', 'b', 'c']) kept.put(asked, undefined, await readingOf(third));
  expect(['a', 'b', 'c'].map((asked) => kept.get(asked) !== undefined)).toEqual([false, true, true]);
  kept.put('b', kept.get('b'), await readingOf(2 * third));
  expect(['b', 'c'].map((asked) => kept.get(asked) !== undefined)).toEqual([true, false]);
  kept.put('b', kept.get('b'), await readingOf(2 * third, third));
  kept.put('d', undefined, await readingOf(2 * third, third));
  expect(['b', 'd'].map((asked) => kept.get(asked) !== undefined)).toEqual([false, false]);
});
