import { statement } from '@continuity/shared/kernel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packed, unpack } from '../../src/stats/packed.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database } = await openOwnDatabase('packed');

const pack = statement('pack', `SELECT ${packed('value')} AS values FROM unnest($1::bigint[]) AS value`);

test('counters and nulls come back as they are, in their order, up to the largest that JSON has', async () => {
  const counter = fc.option(fc.oneof(fc.maxSafeNat(), fc.nat({ max: 3 })));
  await fc.assert(
    fc.asyncProperty(fc.array(counter, { maxLength: 300 }), async (counters) => {
      const row = await database.sql.first<{ values: string | null }>(pack, [counters]);
      expect(unpack(row?.values ?? null)).toEqual(counters);
    }),
    { examples: [[[]], [[0, null, 1, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1]]] },
  );
});
