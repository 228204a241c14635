import type { ScopeKey } from '@continuity/kernel/database';
import { beforeAll, expect, test } from 'vitest';
import { findLastPositions } from '../../src/sources/index.ts';
import { readContinuity } from '../../src/work-records/index.ts';
import { statementsOf } from '../support/count-statements.ts';
import { openOwnDatabase } from '../support/database.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('work-record-reads');
const large = 10_000;
let scopeKeys: ScopeKey[] = [];

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  const { rows } = await database.pool.query<{ scope_key: ScopeKey }>(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary)
       SELECT $1, 'history ' || n, 't', 's' FROM generate_series(1, 100) AS n RETURNING scope_key, scope_id
     ), source AS (
       INSERT INTO sources
         (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible, created_at)
       SELECT $1, scope_key, n, 'content', 'r' || n, '""', '', true, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 s'
       FROM scope, generate_series(1, CASE WHEN scope_id = 'history 1' THEN ${large} ELSE 100 END) AS n
       RETURNING scope_key, position, source_id
     ), record AS (
       INSERT INTO work_records (tenant_id, scope_key, position, kind, source_id, status, summary, selected_revision,
         work_contracts, work_boundaries, work_receipts, work_outcomes, invalid_work_records)
       SELECT $1, scope_key, position, 'handoff-receipt', source_id, 'declined', 'No.', 1, 0, 0, position, 0, 0 FROM source
     )
     SELECT scope_key FROM scope ORDER BY scope_id = 'history 1' DESC, scope_key`,
    [tenantId],
  );
  scopeKeys = rows.map(({ scope_key }) => scope_key);
});

/** Reads of one Scope, once the server has settled on a plan: the one with the long history, and another one. */
async function compareReads(read: (scopeKeys: ScopeKey[]) => Promise<unknown>) {
  const [first, second] = scopeKeys;
  if (first === undefined || second === undefined) throw new Error('The Scopes are missing.');
  for (let run = 0; run < 8; run += 1) await read([first, second]);
  return {
    large: await readsOf(database, 1, () => read([first])),
    small: await readsOf(database, 1, () => read([second])),
  };
}

const continuityOf = (keys: ScopeKey[]) =>
  readContinuity(
    database.sql,
    tenantId,
    keys.map((scopeKey) => ({
      scopeId: 'history',
      scopeKey,
      throughPosition: large - 1,
      selectedRevision: 1,
    })),
  );

test('the projections of 100 Scopes take two statements', async () => {
  expect(await statementsOf(database, () => continuityOf(scopeKeys))).toBe(2);
  const [long, short] = await continuityOf(scopeKeys);
  expect([long?.total_event_count, short?.total_event_count]).toEqual([large - 1, 100]);
  expect([long?.events.length, long?.events[0]?.position]).toEqual([64, large - 64]);
});

test('a projection reads as much of 10,000 records as of 100', async () => {
  const reads = await compareReads(continuityOf);
  expect(reads.large.scannedRows).toBe(0);
  expect(reads.large.blocks).toBeLessThan(reads.small.blocks + 20);
});

test('the last position before a time is found with as many reads among 10,000 Sources as among 100', async () => {
  const before = (ms: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + ms);
  expect(await findLastPositions(database.sql, tenantId, scopeKeys.slice(0, 2), before(50_001))).toEqual([
    50, 50,
  ]);
  expect(await findLastPositions(database.sql, tenantId, scopeKeys.slice(0, 1), before(1_000))).toEqual([0]);
  expect(await findLastPositions(database.sql, tenantId, [0 as ScopeKey], null)).toEqual([0]);
  const reads = await compareReads((keys) => findLastPositions(database.sql, tenantId, keys, before(50_001)));
  expect(reads.large.scannedRows).toBe(0);
  expect(reads.large.blocks).toBeLessThan(reads.small.blocks + 5);
});
