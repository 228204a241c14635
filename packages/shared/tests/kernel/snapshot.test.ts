import { openDatabase, statement } from '@continuity/shared/kernel';
import { createDatabase } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let testDatabase: Awaited<ReturnType<typeof createDatabase>>;
let database: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  testDatabase = await createDatabase();
  database = openDatabase({ url: testDatabase.url, size: 2, name: 'snapshot', onIdleError: () => undefined });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const add = statement('test_add_tenant', 'INSERT INTO tenants (name) VALUES ($1)');
const count = statement('test_count_tenants', 'SELECT count(*) AS tenants FROM tenants');

const countTenants = async (sql = database.sql) => (await sql.first<{ tenants: number }>(count, []))?.tenants;

test('spec 10 §1.4: all reads of a snapshot see one moment, and later ones what came since', async () => {
  const before = await countTenants();
  const seen = await database.snapshot(async (sql) => {
    const first = await countTenants(sql);
    await database.sql.rows(add, ['meanwhile']);
    return [first, await countTenants(sql)];
  });
  expect(seen).toEqual([before, before]);
  expect(await countTenants()).toBe((before ?? 0) + 1);
});

test('a snapshot writes nothing, and leaves its connection as it was', async () => {
  const before = await countTenants();
  await expect(database.snapshot((sql) => sql.rows(add, ['refused']))).rejects.toThrow('read-only');
  for (const name of ['one', 'two', 'three']) await database.sql.rows(add, [name]);
  expect(await countTenants()).toBe((before ?? 0) + 3);
});
