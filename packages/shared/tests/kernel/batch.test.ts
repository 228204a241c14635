import { batched } from '@continuity/shared/kernel';
import { describe, expect, it } from 'vitest';

describe('batched', () => {
  it('does the first call at once and what comes meanwhile together, at most so many at a time', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const batches: number[][] = [];
    const ask = batched<number>(3, async (items) => {
      batches.push(items);
      await held;
    });
    const answers = Promise.all([1, 2, 3, 4, 5].map(ask));
    expect(batches).toEqual([[1]]);
    letGo();
    await answers;
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('fails the calls of the batch that failed, and no others', async () => {
    const ask = batched<number>(2, async (items) => {
      if (items.includes(3)) throw new Error(`not ${items.join()}`);
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
});
