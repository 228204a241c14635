import { waitUntil } from '@continuity/testing';
import { afterEach, expect, test } from 'vitest';
import { ThreadEndedError, ThreadPool } from '../../../src/kernel/threads/index.ts';
import { TimeLimitError } from '../../../src/kernel/time-limit.ts';
import type { Deed } from './hostile-thread.ts';

const open: ThreadPool<Deed, string>[] = [];

/** A pool whose tasks may all take as long. */
function pool(limitMs: number, size = 2) {
  const module = new URL('./hostile-thread.ts', import.meta.url);
  const made = new ThreadPool<Deed, string>({ module, size, heapMb: 32 });
  open.push(made);
  return { run: (lane: number, deed: Deed) => made.run(lane, deed, limitMs), close: () => made.close() };
}

afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

/** Longer than any test. */
const forEver = 3_600_000;

test('a task over its time is ended, and the next one has a new thread', async () => {
  const threads = pool(300);
  await expect(threads.run(1, 'spin')).rejects.toThrow(TimeLimitError);
  expect(await threads.run(1, 'answer')).toBe('answer');
});

test('a task that needs too much memory, or throws, ends its thread and nothing else', async () => {
  const threads = pool(forEver);
  const hoarding = expect(threads.run(1, 'hoard')).rejects.toThrow(ThreadEndedError);
  expect(await threads.run(2, 'answer')).toBe('answer');
  await hoarding;
  await expect(threads.run(1, 'throw')).rejects.toThrow(ThreadEndedError);
  expect(await threads.run(1, 'answer')).toBe('answer');
});

test('a lane that fills its threads leaves one to the others', async () => {
  const threads = pool(forEver);
  const stuck = Array.from({ length: 20 }, () => threads.run(1, 'spin'));
  for (const one of stuck) one.catch(() => undefined);
  for (const lane of [2, 3, 4]) expect(await threads.run(lane, 'answer')).toBe('answer');
});

test('lanes take turns', async () => {
  const threads = pool(forEver);
  const order: number[] = [];
  const send = (lane: number) => threads.run(lane, 'answer').then(() => order.push(lane));
  const spinning = threads.run(9, 'spin');
  spinning.catch(() => undefined);
  await Promise.all([...[1, 1, 1, 1, 1, 1].map(send), ...[2, 2].map(send)]);
  // The other thread is taken, so that these were answered one by one.
  expect(order.lastIndexOf(2)).toBeLessThan(5);
});

test('a thread has none of the settings of its process', async () => {
  expect(process.env['PATH']).toBeDefined();
  expect(await pool(forEver).run(1, 'settings')).toBe('');
});

test('closing ends what runs and what waits, and starts nothing more', async () => {
  const threads = pool(forEver);
  let started = false;
  const first = threads.run(2, 'answer').then(() => {
    started = true;
  });
  const tasks = [1, 1, 1].map((lane) => threads.run(lane, 'spin'));
  const outcomes = Promise.allSettled(tasks);
  await waitUntil(() => started);
  await first;
  await threads.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  await expect(threads.run(1, 'answer')).rejects.toThrow('ended');
});
