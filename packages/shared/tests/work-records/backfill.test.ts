import { migrate } from '@continuity/kernel/database';
import { expect, test } from 'vitest';
import { type BackfillProgress, backfillWorkRecords } from '../../src/work-records/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { contract, outcome, workOf } from './support.ts';

const { database, tenantId, url } = await openOwnDatabase('backfill', 4);

const rowsOf = async (table: string) =>
  (await database.pool.query(`SELECT * FROM ${table} ORDER BY tenant_id, scope_key`)).rows;
const recordsOf = async () =>
  (await database.pool.query('SELECT * FROM work_records ORDER BY tenant_id, scope_key, position')).rows;

test('records from before are projected as those that are captured', async () => {
  for (let scope = 0; scope < 3; scope += 1) {
    const work = workOf(database, tenantId);
    await work.contract();
    await work.captured('work-contract', JSON.stringify({ ...contract, objective: 'By hand.' }));
    await work.captured('handoff-receipt', JSON.stringify(contract));
    await work.commit(undefined, 'One.');
    const receipt = await work.acknowledge({ revision: work.ref(1) });
    await work.outcome({ handoff_receipt_ref: receipt });
    await work.captured('task-outcome', '{}');
    // More than one batch.
    const more = Array.from({ length: scope === 0 ? 230 : 2 }, (_, index) => ({
      ...outcome,
      summary: `Part ${index}.`,
    }));
    for (const value of more) await work.captured('task-outcome', JSON.stringify(value));
  }
  const expected = [await recordsOf(), await rowsOf('source_sequences')];
  await database.pool.query('DELETE FROM work_records');
  await database.pool.query(
    `UPDATE source_sequences SET work_contracts = 0, work_boundaries = 0, work_receipts = 0, work_outcomes = 0,
       invalid_work_records = 0`,
  );
  await database.pool.query(
    'INSERT INTO work_record_backfills SELECT tenant_id, scope_key FROM source_sequences',
  );
  const progress: BackfillProgress[] = [];
  await Promise.all([
    backfillWorkRecords(url, (one) => progress.push(one)),
    backfillWorkRecords(url, (one) => progress.push(one)),
  ]);
  expect(progress).toHaveLength(3);
  expect([await recordsOf(), await rowsOf('source_sequences')]).toEqual(expected);
  await backfillWorkRecords(url, () => {
    throw new Error('Nothing is left to project.');
  });
  expect(await migrate(url)).toEqual([]);
});
