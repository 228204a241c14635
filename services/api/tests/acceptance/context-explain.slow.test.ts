import { afterAll, expect, test } from 'vitest';
import { expectExplained, RandomContexts } from '../support/random-contexts.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

test('spec 60 §3.2.1: over 1,000 random states and requests, an explanation equals what was prepared', async () => {
  const random = new RandomContexts(service, 60);
  await random.begin();
  const seen = new Set<string>();
  for (let count = 0; count < 1_000; count += 1) {
    await random.change();
    const { items, subjects } = await expectExplained(service, random.request());
    for (const { outcome } of [...items, ...subjects]) seen.add(outcome);
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      ...['enough_items', 'family_limit', 'included', 'no_room', 'truncated'],
      ...['listed', 'not_admitted', 'outranked', 'scope_not_read'],
    ]),
  );
});
