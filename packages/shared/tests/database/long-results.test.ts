import type { TenantId } from '@continuity/kernel/database';
import { runAsTenant } from '@continuity/kernel/fairness';
import { waitUntil } from '@continuity/testing';
import { expect, test } from 'vitest';
import { openOwnDatabase } from '../support/database.ts';

const { database } = await openOwnDatabase('long-results', 10);
const { pool } = database;

const heavy = 1 as TenantId;
const light = 2 as TenantId;

/** Results of the heavy tenant that are measured; the first ones use all connections at once. */
const measured = { from: 20, to: 150 };

/** Blocks the event loop, as reading a long result does. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('a statement waits for few results of a tenant that reads long ones over all connections', async () => {
  let results = 0;
  const readLong = async () => {
    await pool.query('SELECT 1');
    block(5);
    results += 1;
  };
  const ofHeavy = runAsTenant(heavy, () => Promise.all(Array.from({ length: 200 }, readLong)));
  await waitUntil(() => results >= measured.from);
  let statements = 0;
  const before = results;
  while (results < measured.to) {
    await runAsTenant(light, () => pool.query('SELECT 1'));
    statements += 1;
  }
  expect((results - before) / statements).toBeLessThan(4);
  await ofHeavy;
});
