import { expect, test } from 'vitest';
import type { TenantId } from '../src/database/columns.ts';
import { TenantLimit } from '../src/fairness/tenant-limit.ts';

const [heavy, light] = [1 as TenantId, 2 as TenantId];

test('works of a tenant wait for each other in order, and not for those of another tenant', async () => {
  const limit = new TenantLimit(2);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((end) => ends.push(end));
  };
  const runs = ['a', 'b', 'c', 'd'].map((name) => limit.run(heavy, work(name)));
  runs.push(limit.run(light, work('light')));
  await Promise.resolve();
  expect(started).toEqual(['a', 'b', 'light']);
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  }
  await Promise.all(runs);
  expect(started).toEqual(['a', 'b', 'light', 'c', 'd']);
});

test('a failed work gives its place to the next', async () => {
  const limit = new TenantLimit(1);
  const failed = limit.run(heavy, () => Promise.reject(new Error('no')));
  const next = limit.run(heavy, async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
