import { waitUntil } from '@continuity/testing';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { TimeLimitError } from '../../src/process/time.ts';
import { PoolBusyError, ThreadPool, type ThreadPoolOptions } from '../../src/threads/pool.ts';
import { ThreadEndedError } from '../../src/threads/thread.ts';
import type { hostileThread } from './hostile-thread.ts';

const open: ThreadPool<typeof hostileThread>[] = [];

/** Longer than any test. */
const forever = 3_600_000;

function openPool(options: Partial<ThreadPoolOptions> = {}) {
  const module = new URL('./hostile-thread.ts', import.meta.url);
  const bounds = { size: 2, heapMb: 32, limitMs: forever, maxWaiting: 100, maxWaitMs: forever };
  const pool = new ThreadPool<typeof hostileThread>({ module, ...bounds, ...options });
  open.push(pool);
  return pool;
}

/** A task that never ends by itself. */
function spin(pool: ThreadPool<typeof hostileThread>, tenantId: number): void {
  pool.run(tenantId, 'spin').catch(() => undefined);
}

afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

test('a task over its time limit is terminated, and the next task gets a new thread', async () => {
  const threads = openPool({ limitMs: 1_000 });
  await expect(threads.run(1, 'spin')).rejects.toThrow(TimeLimitError);
  expect(await threads.run(1, 'answer')).toBe('answer');
});

test('a task that exceeds the heap limit, or throws, ends its own thread only', async () => {
  const threads = openPool();
  const hoarding = expect(threads.run(1, 'hoard')).rejects.toThrow(ThreadEndedError);
  expect(await threads.run(2, 'answer')).toBe('answer');
  await hoarding;
  await expect(threads.run(1, 'throw')).rejects.toThrow(ThreadEndedError);
  expect(await threads.run(1, 'answer')).toBe('answer');
});

test('one task of a tenant runs at a time, and another tenant finds a thread', async () => {
  const threads = openPool();
  for (let index = 0; index < 20; index += 1) spin(threads, 1);
  for (const tenantId of [2, 3, 4]) expect(await threads.run(tenantId, 'answer')).toBe('answer');
});

test('tenants take turns', async () => {
  const threads = openPool();
  spin(threads, 9);
  const order: number[] = [];
  const send = (tenantId: number) => threads.run(tenantId, 'answer').then(() => order.push(tenantId));
  await Promise.all([...[1, 1, 1, 1, 1, 1].map(send), ...[2, 2].map(send)]);
  // The other thread is busy, so the pool runs these tasks one by one.
  expect(order.lastIndexOf(2)).toBeLessThan(5);
});

test('tenants with slow tasks leave one thread to the others', async () => {
  // A task over 10 s makes its tenant slow for a minute. By this clock, no task takes time but the first ones of the hostile tenants.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const threads = openPool({ limitMs: 40_000 });
  const hostile = [1, 2, 3, 4];
  const becomeSlow = (tenantId: number) =>
    threads.run(tenantId, 'throw').catch(() => {
      now += 11_000;
    });
  await Promise.all(hostile.map(becomeSlow));
  let ended = 0;
  for (const tenantId of Array(10).fill(hostile).flat()) {
    threads.run(tenantId, 'spin').catch(() => {
      ended += 1;
    });
  }
  for (let index = 0; index < 20; index += 1) expect(await threads.run(5, 'answer')).toBe('answer');
  // In turns with four hostile tenants, each answer would have waited for several of their tasks.
  expect(ended).toBeLessThan(10);
});

test('in a full queue the tenant with most waiting tasks loses its newest one', async () => {
  const threads = openPool({ maxWaiting: 2 });
  // The first one has a thread at once. Three of the others wait, one too many.
  const outcomes = await Promise.allSettled(
    [1, 1, 1, 1, 2].map((tenantId) => threads.run(tenantId, 'answer')),
  );
  const names = outcomes.map((outcome) => ('value' in outcome ? outcome.value : outcome.reason.name));
  expect(names).toEqual(['answer', 'answer', 'PoolBusyError', 'PoolBusyError', 'answer']);
});

test('a task that gets no thread in time is refused, and never runs', async () => {
  const threads = openPool({ maxWaitMs: 100 });
  spin(threads, 1);
  await expect(threads.run(1, 'throw')).rejects.toThrow(PoolBusyError);
});

test('the time limit is that of the task, not of a busy event loop', async () => {
  const threads = openPool({ limitMs: 500 });
  expect(await threads.run(1, 'answer')).toBe('answer');
  const answer = threads.run(1, 'answer');
  const end = performance.now() + 1_000;
  while (performance.now() < end);
  expect(await answer).toBe('answer');
});

test('a thread has no environment variables', async () => {
  expect(process.env['PATH']).toBeDefined();
  expect(await openPool().run(1, 'settings')).toBe('');
});

test('a pool without tasks ends its threads, and starts others for the next task', async () => {
  const threads = openPool({ idleMs: 1 });
  const first = await threads.run(1, 'identify');
  await waitUntil(async () => (await threads.run(1, 'identify')) !== first);
});

test('closing rejects running and waiting tasks, and every later task', async () => {
  const threads = openPool();
  let started = false;
  const first = threads.run(2, 'answer').then(() => {
    started = true;
  });
  const tasks = [1, 1, 1].map((group) => threads.run(group, 'spin'));
  const outcomes = Promise.allSettled(tasks);
  await waitUntil(() => started);
  await first;
  await threads.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  await expect(threads.run(1, 'answer')).rejects.toThrow('closed');
});
