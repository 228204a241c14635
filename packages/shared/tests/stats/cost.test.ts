import type { ScopeSelection } from '@continuity/contract';
import { systemClock } from '@continuity/kernel/process';
import { beforeAll, expect, test } from 'vitest';
import { readStats } from '../../src/stats/handlers.ts';
import { openOwnDatabase } from '../support/database.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('stats-cost');

/** Creates Scopes with Artifacts and with entries of so many kinds, and counters of one day each. */
const makeScopes = (name: string, count: number, artifacts: number, kinds: number) =>
  database.pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) SELECT $1, $2 || n, '', ''
       FROM generate_series(1, $3::int) AS n RETURNING scope_key
     ), line AS (
       INSERT INTO source_sequences (tenant_id, scope_key, last_position, eligible_count) SELECT $1, scope_key, 9, 9 FROM scope
     ), artifact AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id)
       SELECT $1, scope_key, 'experience', n FROM scope, generate_series(1, $4::int) AS n
     ), total AS (
       INSERT INTO memory_totals (tenant_id, scope_key, active_entries) SELECT $1, scope_key, $5::int FROM scope
     ), kind AS (
       INSERT INTO memory_kinds (tenant_id, scope_key, kind, active_entries)
       SELECT $1, scope_key, 'kind ' || n, n % 2 FROM scope, generate_series(1, $5::int) AS n
     )
     INSERT INTO recall_days (tenant_id, scope_key, day, estimator, preparations)
     SELECT $1, scope_key, current_date, 'character:weighted/1', 1 FROM scope`,
    [tenantId, name, count, artifacts, kinds],
  );

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  await makeScopes('other ', 3_000, 1, 1);
  await makeScopes('small ', 1, 10, 2_000);
  await makeScopes('large ', 1, 20_000, 20_000);
});

const deps = { database, clock: systemClock, settings: { RECALL_ESTIMATION: true } };

const read = (...scope_ids: string[]) =>
  readStats(deps, tenantId, { selection: { mode: 'exact', scope_ids }, period: '30d', by_scope: true });

const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);

const readsFor = (...scope_ids: string[]) => readsOf(database, 5, () => read(...scope_ids));

test('spec 20 T8: the cost of a Scope does not grow with its Artifacts and entries', async () => {
  const small = await readsFor('small 1');
  const large = await readsFor('large 1');
  expect(large.blocks).toBeLessThan(small.blocks * 1.3);
  expect(large.scannedRows).toBe(0);
});

test('spec 20 T8: each further Scope costs a few index lookups, and no table is scanned', async () => {
  const { blocks, scannedRows } = await readsFor(...named('other', 1_000));
  expect(blocks).toBeLessThan(1_000 * 20);
  expect(scannedRows).toBe(0);
});

test('spec 60 §3.4.3: without the list by Scope, the answer does not grow with the Scopes', async () => {
  const total = (...scope_ids: string[]) =>
    readStats(deps, tenantId, { selection: { mode: 'exact', scope_ids }, period: '30d', by_scope: false });
  const { selection: _asked, as_of: _now, ...few } = await total(...named('other', 10));
  const { selection: _all, as_of: _later, ...many } = await total(...named('other', 1_000));
  expect(many).toMatchObject({ scope_ids: [], by_scope: [] });
  expect(many.inventory.sources.total).toBe(9_000);
  expect(JSON.stringify(many).length).toBeLessThan(JSON.stringify(few).length * 1.1);
});

test('statistics take two round trips, however many Scopes are selected', async () => {
  let pending = 0;
  let roundTrips = 0;
  const snapshot: typeof database.snapshot = (work) =>
    database.snapshot((sql) => {
      const count = async <T>(send: () => Promise<T>): Promise<T> => {
        if (pending === 0) roundTrips += 1;
        pending += 1;
        return await send().finally(() => {
          pending -= 1;
        });
      };
      return work({
        rows: (...sent) => count(() => sql.rows(...sent)),
        first: (...sent) => count(() => sql.first(...sent)),
      });
    });
  const one: ScopeSelection = { mode: 'exact', scope_ids: ['small 1'] };
  for (const selection of [one, { mode: 'all' } as const]) {
    roundTrips = 0;
    await readStats({ ...deps, database: { snapshot } }, tenantId, {
      selection,
      period: 'today',
      by_scope: true,
    });
    expect(roundTrips).toBe(2);
  }
});

/** Creates Scopes with 1,001 kinds each. The name of a kind is a prefix and a number. */
const makeKinds = (name: string, count: number, prefix: string) =>
  database.pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) SELECT $1, $2 || n, '', ''
       FROM generate_series(1, $3::int) AS n RETURNING scope_key
     )
     INSERT INTO memory_kinds (tenant_id, scope_key, kind, active_entries)
     SELECT $1, scope_key, $4 || n, 1 FROM scope, generate_series(1, 1001) AS n`,
    [tenantId, name, count, prefix],
  );

test('more than 100,000 kinds of entries are 422; of each Scope the first 1,000 count', async () => {
  await makeKinds('many kinds ', 101, '');
  await expect(read(...named('many kinds', 101))).rejects.toMatchObject({
    code: 'invalid_request',
    status: 422,
    details: { issues: [{ path: 'selection', message: expect.stringContaining('100000 kinds') }] },
  });
  const stats = await read(...named('many kinds', 100));
  expect(stats.inventory.memory.entries.by_kind).toHaveLength(1_000);
  expect(stats.by_scope).toHaveLength(100);
});

test('kinds whose names take more than 16 MiB are 422', async () => {
  // A control character takes six bytes as JSON.
  await makeKinds('long kinds ', 24, '\u0001'.repeat(120));
  await expect(read(...named('long kinds', 24))).rejects.toMatchObject({
    code: 'invalid_request',
    status: 422,
    details: { issues: [{ path: 'selection', message: expect.stringContaining('16777216 bytes') }] },
  });
  expect((await read(...named('long kinds', 20))).by_scope).toHaveLength(20);
});
