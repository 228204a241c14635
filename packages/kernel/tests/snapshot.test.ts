import { createDatabase } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { statement } from '../src/database/statement.ts';

let testDatabase: Awaited<ReturnType<typeof createDatabase>>;
let database: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  testDatabase = await createDatabase();
  database = openDatabase({ url: testDatabase.url, size: 4, name: 'snapshot', onIdleError: () => undefined });
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

test('spec 10 §1.4: Prisma queries and statements of a snapshot see one moment', async () => {
  const before = await countTenants();
  const seen = await database.prismaSnapshot(async ({ sql, prisma }) => {
    const first = await countTenants(sql);
    await database.sql.rows(add, ['during a Prisma snapshot']);
    return [first, await prisma.tenant.count(), await countTenants(sql)];
  });
  expect(seen).toEqual([before, before, before]);
  expect(await database.prisma.tenant.count()).toBe((before ?? 0) + 1);
});

test('what a snapshot read is used outside of it', async () => {
  const before = (await countTenants()) ?? 0;
  const used = await database.snapshotThen(countTenants, async (read, sql) => {
    await sql.rows(add, ['after a read']);
    return { read, now: await countTenants(sql) };
  });
  expect(used).toEqual({ read: before, now: before + 1 });
});

test('a use that fails releases the connection of its snapshot', async () => {
  const fail = async (read: number | undefined) => Promise.reject(new Error(`cannot use ${typeof read}`));
  for (const _ of [1, 2, 3]) {
    await expect(database.snapshotThen(countTenants, fail)).rejects.toThrow('cannot use number');
    await database.sql.rows(add, [`after a failed use ${crypto.randomUUID()}`]);
  }
});

test('the use of what a snapshot read needs no second connection', async () => {
  const single = openDatabase({
    url: testDatabase.url,
    size: 1,
    name: 'single',
    onIdleError: () => undefined,
  });
  const used = single.snapshotThen(countTenants, (_, sql) => countTenants(sql));
  expect(await used).toBe(await countTenants());
  await single.close();
});

test('a snapshot that does not commit rejects, whether or not the use succeeds', async () => {
  const wrong = statement('test_ignored_failure', 'SELECT 1 / 0');
  const read = (sql: typeof database.sql) => sql.rows(wrong, []).catch(() => undefined);
  const fail = async () => Promise.reject(new Error('not this error'));
  for (const use of [async () => undefined, fail, fail, fail])
    await expect(database.snapshotThen(read, use)).rejects.toThrow('was rolled back');
  expect(await countTenants()).toBeGreaterThan(0);
});

test('a connection that is lost under a snapshot is not given to the next', async () => {
  const end = statement('test_end_connection', 'SELECT pg_terminate_backend(pg_backend_pid())');
  // As many as the pool has, and one more.
  for (const _ of [1, 2, 3]) await expect(database.snapshot((sql) => sql.rows(end, []))).rejects.toThrow();
  const use = async () => expect.unreachable('Nothing was read.');
  await expect(database.snapshotThen((sql) => sql.rows(end, []), use)).rejects.toThrow();
  expect(await countTenants()).toBeGreaterThan(0);
  expect(await database.snapshot(countTenants)).toBeGreaterThan(0);
});

test('a connection that is lost in the use of a snapshot is not given to the next', async () => {
  const end = statement('test_end_connection', 'SELECT pg_terminate_backend(pg_backend_pid())');
  const ignoreEnd = async (_: unknown, sql: typeof database.sql) =>
    await sql.rows(end, []).catch((error: Error) => error.message);
  for (const _ of [1, 2, 3]) {
    expect(await database.snapshotThen(countTenants, ignoreEnd)).toMatch(/terminat/);
    expect(await countTenants()).toBeGreaterThan(0);
  }
});

test('a snapshot that fails while it still reads leaves nothing to the next', async () => {
  const slow = statement('test_slow_read', 'SELECT pg_sleep(0.2)');
  const wrong = statement('test_wrong_read', 'SELECT 1 / 0');
  for (const _ of [1, 2, 3]) {
    const reading = database.snapshot((sql) => Promise.all([sql.rows(wrong, []), sql.rows(slow, [])]));
    await expect(reading).rejects.toThrow('division by zero');
    await database.sql.rows(add, [`after a failure ${crypto.randomUUID()}`]);
  }
});

test('a snapshot writes nothing, and leaves its connection as it was', async () => {
  const before = await countTenants();
  await expect(database.snapshot((sql) => sql.rows(add, ['refused']))).rejects.toThrow('read-only');
  const create = database.prismaSnapshot(({ prisma }) => prisma.tenant.create({ data: { name: 'refused' } }));
  await expect(create).rejects.toThrow('read-only');
  for (const name of ['one', 'two', 'three']) await database.sql.rows(add, [name]);
  expect(await countTenants()).toBe((before ?? 0) + 3);
});
