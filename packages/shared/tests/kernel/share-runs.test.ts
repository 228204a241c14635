import { setImmediate as nextTurn } from 'node:timers/promises';
import { shareRuns } from '@continuity/shared/kernel';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Work whose runs end when they are told to. */
function controlled() {
  const runs: PromiseWithResolvers<string>[] = [];
  const share = shareRuns<string>();
  const call = (key = 'key') =>
    share(key, () => {
      const run = Promise.withResolvers<string>();
      runs.push(run);
      return run.promise;
    });
  return { runs, call };
}

/** Longer than runs let others join, where nobody does. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

test('calls share a run while turns bring more of them, and a later one does not join what has begun', async () => {
  const { runs, call } = controlled();
  const first = [call(), call()];
  await nextTurn();
  first.push(call());
  expect(runs).toHaveLength(0);
  await someTurns();
  expect(runs).toHaveLength(1);
  const later = call();
  await someTurns();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve('first');
  expect(await Promise.all(first)).toEqual(['first', 'first', 'first']);
  vi.runAllTimers();
  await someTurns();
  runs[1]?.resolve('later');
  expect(await later).toBe('later');
});

test('all that come while a run is under way share the next, which begins when that one ends, also in failure', async () => {
  const { runs, call } = controlled();
  const under = call();
  await someTurns();
  const others = [call()];
  await someTurns();
  others.push(call(), call());
  await someTurns();
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('one'));
  await expect(under).rejects.toThrow('one');
  await someTurns();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve('shared');
  expect(await Promise.all(others)).toEqual(['shared', 'shared', 'shared']);
});

/** Three calls that share a run of a second. */
async function shareSecond({ runs, call }: ReturnType<typeof controlled>): Promise<void> {
  const all = [call(), call(), call()];
  await someTurns();
  vi.advanceTimersByTime(1_000);
  runs[0]?.resolve('first');
  await Promise.all(all);
}

test('those who shared a run share the next one, too, when they come again one after the other', async () => {
  const { runs, call } = controlled();
  await shareSecond({ runs, call });
  const again = [call()];
  await someTurns();
  again.push(call());
  await someTurns();
  expect(runs).toHaveLength(1);
  again.push(call());
  await someTurns();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve('second');
  expect(await Promise.all(again)).toEqual(['second', 'second', 'second']);
});

test('who comes without the others waits for them half as long as their run took at most', async () => {
  const { runs, call } = controlled();
  await shareSecond({ runs, call });
  vi.advanceTimersByTime(300);
  const alone = call();
  vi.advanceTimersByTime(199);
  await someTurns();
  expect(runs).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await someTurns();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve('second');
  expect(await alone).toBe('second');
  const next = call();
  await someTurns();
  expect(runs).toHaveLength(3);
  runs[2]?.resolve('third');
  expect(await next).toBe('third');
});

test('a stream of calls that never ends does not keep a run from its beginning', async () => {
  const { runs, call } = controlled();
  const all: Promise<string>[] = [];
  for (let turn = 0; turn < 100 && runs.length === 0; turn += 1) {
    all.push(call());
    await nextTurn();
  }
  expect(runs).toHaveLength(1);
  runs[0]?.resolve('done');
  expect(await all[0]).toBe('done');
});

test('a failure is told to all that share it, and the next call runs anew', async () => {
  const { runs, call } = controlled();
  const joined = [call(), call()];
  await someTurns();
  runs[0]?.reject(new Error('broken'));
  for (const one of joined) await expect(one).rejects.toThrow('broken');
  vi.runAllTimers();
  const again = call();
  await someTurns();
  runs[1]?.resolve('well');
  expect(await again).toBe('well');
});

test('another key waits for nothing', async () => {
  const { runs, call } = controlled();
  const all = [call('a'), call('b'), call('c')];
  await someTurns();
  expect(runs).toHaveLength(3);
  for (const run of runs) run.resolve('done');
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
});
