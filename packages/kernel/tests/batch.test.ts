import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { batched, batchedByKey } from '../src/queue/batch.ts';

describe('batched', () => {
  it('does the first call at once and what comes meanwhile together, at most so many at a time', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const batches: number[][] = [];
    const ask = batched(3, async (items: number[]) => {
      batches.push(items);
      await held;
      return items.map((item) => item * 10);
    });
    const answers = Promise.all([1, 2, 3, 4, 5].map(ask));
    expect(batches).toEqual([[1]]);
    letGo();
    expect(await answers).toEqual([10, 20, 30, 40, 50]);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('fails the calls of the batch that failed, and no others', async () => {
    const ask = batched(2, async (items: number[]) => {
      if (items.includes(3)) throw new Error(`not ${items.join()}`);
      return items;
    });
    const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(ask));
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('does the work of a call in no context of the caller, such as its trace', async () => {
    const caller = new AsyncLocalStorage<string>();
    const ask = batched(2, async (items: number[]) => items.map(() => caller.getStore()));
    expect(await caller.run('first', () => ask(1))).toBeUndefined();
  });
});

describe('batchedByKey', () => {
  it('lets no call wait for a batch of another key', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const ask = batchedByKey(
      2,
      (item: string) => item.charAt(0),
      async (items, key) => {
        if (key === 'a') await held;
        return items.map((item) => `${key} ${items.join()} ${item}`);
      },
    );
    const slow = Promise.all(['a1', 'a2', 'a3'].map(ask));
    expect(await Promise.all(['b1', 'b2'].map(ask))).toEqual(['b b1 b1', 'b b2 b2']);
    letGo();
    expect(await slow).toEqual(['a a1 a1', 'a a2,a3 a2', 'a a2,a3 a3']);
  });
});
