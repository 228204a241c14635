import { readFile } from 'node:fs/promises';
import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope, remember, retire } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';
import { takeTurn } from '../support/turn.ts';

const tenants = Array.from({ length: 12 }, (_, index) => `tenant-${index}`);
const database = await createDatabase();
const script = new URL('../../../../deploy/postgres/partition-by-tenant.sql', import.meta.url);
const environment = {
  DATABASE_URL: database.url,
  AUTH_TOKENS_FILE: await writeTokens('before', ...tenants),
  MEMORY_AUTO_FLUSH: 'off',
};

// Rows from before, which the script copies.
const before = await startService({ environment });
await remember(clientOf(before.url, 'before'), 'kept', 'The port is 8000.');
await before.stop();
// Fewer partitions take less time to make.
const partition = (await readFile(script, 'utf8')).replace(
  'partitions constant int := 8',
  'partitions constant int := 3',
);
await query(database.url, partition);
const service = await startService({ workers: true, environment });

afterAll(async () => {
  await service.stop();
  await database.drop();
});

/** Partitions of a table that hold rows, with their tenants. */
const used = async (table: string) =>
  query<{ partition: string; tenants: number }>(
    database.url,
    `SELECT tableoid::regclass::text AS partition, count(DISTINCT tenant_id)::int AS tenants FROM ${table} GROUP BY 1`,
  );

test('the service works on tables that are partitioned by tenant, and each tenant is in one partition', async () => {
  expect(
    (await clientOf(service.url, 'before').call('get_scope', { params: { scope_id: 'kept' } })).status,
  ).toBe(200);
  await Promise.all(tenants.map((tenant) => takeTurn(clientOf(service.url, tenant))));
  const partitions = await used('memory_states');
  expect(partitions.length).toBeGreaterThan(1);
  expect(partitions.reduce((sum, one) => sum + one.tenants, 0)).toBe(tenants.length + 1);
});

test('a change of one tenant leaves the rows of others, which are at the same places of other partitions', async () => {
  const clients = tenants.map((tenant) => clientOf(service.url, tenant));
  const scope = freshScope();
  const entries = await Promise.all(clients.map((client) => remember(client, scope, 'The port is 8000.')));
  const [client, entry] = [clients[0], entries[0]?.entry];
  if (client === undefined || entry === undefined) throw new Error('There is no tenant.');
  const closed = async () =>
    (
      await query<{ states: number }>(
        database.url,
        'SELECT count(*)::int AS states FROM memory_states WHERE valid_to IS NOT NULL',
      )
    )[0]?.states;
  const closedBefore = (await closed()) ?? 0;
  await retire(client, scope, entry.citation);
  expect(await closed()).toBe(closedBefore + 1);
  const active = await Promise.all(
    clients.map(
      async (one) =>
        (await one.call('list_memory_entries', { body: { scope_id: scope } })).body.entries.length,
    ),
  );
  expect(active).toEqual([0, ...tenants.slice(1).map(() => 1)]);
});

test('a repeated identity is found by its constraint', async () => {
  const client = clientOf(service.url, 'tenant-1');
  const source = { scope_id: freshScope(), source_id: 'same', content: 'first' };
  const statuses = await Promise.all(
    Array.from(
      { length: 6 },
      async () => (await client.call('capture_content_source', { body: source })).status,
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([202]));
  const other = await client.call('capture_content_source', { body: { ...source, content: 'second' } });
  expect(other.error?.code).toBe('source_conflict');
});
