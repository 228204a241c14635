import { setImmediate as nextTurn } from 'node:timers/promises';
import { shareRuns } from '@continuity/shared/kernel';
import { expect, test } from 'vitest';

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

test('calls of one turn share a run, and a later one does not join what has begun', async () => {
  const { runs, call } = controlled();
  const first = [call(), call(), call()];
  await nextTurn();
  expect(runs).toHaveLength(1);
  const later = call();
  await nextTurn();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve('later');
  runs[0]?.resolve('first');
  expect(await later).toBe('later');
  expect(await Promise.all(first)).toEqual(['first', 'first', 'first']);
});

test('all that come while two runs are under way share the next, which begins when one of them ends', async () => {
  const { runs, call } = controlled();
  const under = [call()];
  await nextTurn();
  under.push(call());
  await nextTurn();
  const others = [call()];
  await nextTurn();
  others.push(call(), call());
  await nextTurn();
  expect(runs).toHaveLength(2);
  runs[1]?.reject(new Error('one'));
  await expect(under[1]).rejects.toThrow('one');
  await nextTurn();
  expect(runs).toHaveLength(3);
  runs[2]?.resolve('shared');
  expect(await Promise.all(others)).toEqual(['shared', 'shared', 'shared']);
  runs[0]?.resolve('first');
  expect(await under[0]).toBe('first');
});

test('a failure is told to all that share it, and the next call runs anew', async () => {
  const { runs, call } = controlled();
  const joined = [call(), call()];
  await nextTurn();
  runs[0]?.reject(new Error('broken'));
  for (const one of joined) await expect(one).rejects.toThrow('broken');
  const again = call();
  await nextTurn();
  runs[1]?.resolve('well');
  expect(await again).toBe('well');
});

test('another key waits for nothing', async () => {
  const { runs, call } = controlled();
  const all = [call('a'), call('b'), call('c')];
  await nextTurn();
  expect(runs).toHaveLength(3);
  for (const run of runs) run.resolve('done');
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
});
