import { openDatabase, systemClock } from '@continuity/shared/kernel';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeptReadings } from '../../src/stats/kept-readings.ts';
import { readStats } from '../../src/stats/read-stats.ts';
import { bytesOf } from '../support/long-body.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const source = await createDatabase();
const database = openDatabase({ url: source.url, size: 1, name: 'stats-cost', onIdleError: () => undefined });
let tenantId = 0;

/** Scopes with Artifacts and entries of so many kinds, and a day of work each. */
const makeScopes = (name: string, count: number, artifacts: number, kinds: number) =>
  database.pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) SELECT $1, $2 || n, '', ''
       FROM generate_series(1, $3::int) AS n RETURNING scope_key
     ), line AS (
       INSERT INTO source_lines (tenant_id, scope_key, last_position, eligible_count) SELECT $1, scope_key, 9, 9 FROM scope
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
  tenantId = await ensureTenant(database, 'default');
  await keepVacuumAway(database.pool);
  await makeScopes('other ', 3_000, 1, 1);
  await makeScopes('small ', 1, 10, 2_000);
  await makeScopes('large ', 1, 20_000, 20_000);
});

afterAll(async () => {
  await database.close();
  await source.drop();
});

const reading = { database, clock: systemClock, isEstimating: true };

const readsFor = (...scope_ids: string[]) =>
  readsOf(database.pool, 5, () =>
    readStats(reading, tenantId, { selection: { mode: 'exact', scope_ids }, period: '30d' }),
  );

test('spec 20 T8: what a Scope holds does not matter, neither Artifacts nor entries of thousands of kinds', async () => {
  const small = await readsFor('small 1');
  const large = await readsFor('large 1');
  expect(large.blocks).toBeLessThan(small.blocks * 1.3);
  expect(large.scannedRows).toBe(0);
});

test('spec 20 T8: a Scope more costs some look-ups more, and no table is read from end to end', async () => {
  const others = Array.from({ length: 1_000 }, (_, index) => `other ${index + 1}`);
  const { blocks, scannedRows } = await readsFor(...others);
  expect(blocks).toBeLessThan(1_000 * 20);
  expect(scannedRows).toBe(0);
});

test('spec 20 T8: what is kept is looked up once a counter, whatever its Scopes hold', async () => {
  const kept = new KeptReadings();
  const scope_ids = ['large 1', ...Array.from({ length: 99 }, (_, index) => `other ${index + 1}`)];
  const ask = () =>
    readStats({ ...reading, kept }, tenantId, { selection: { mode: 'exact', scope_ids }, period: '30d' });
  await ask();
  const { blocks, scannedRows } = await readsOf(database.pool, 5, ask);
  expect(scannedRows).toBe(0);
  expect(blocks).toBeLessThan(100 * 12);
});

test('Scopes with more kinds of entries than an answer goes through are 422', async () => {
  await makeScopes('kinds ', 101, 0, 2_002);
  const selection = {
    mode: 'exact' as const,
    scope_ids: Array.from({ length: 101 }, (_, n) => `kinds ${n + 1}`),
  };
  const many = readStats(reading, tenantId, { selection, period: 'today' });
  await expect(many).rejects.toMatchObject({ code: 'invalid_request', status: 422 });
  const fewer = { ...selection, scope_ids: selection.scope_ids.slice(0, 100) };
  const read = await readStats(reading, tenantId, { selection: fewer, period: 'today' });
  const answer = JSON.parse(String(bytesOf(read)));
  expect(answer.inventory.memory.entries.by_kind).toHaveLength(1_000);
  expect(answer.by_scope).toHaveLength(100);
});
