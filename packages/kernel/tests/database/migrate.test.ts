import { createDatabase, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { migrate, migrationNames } from '../../src/database/migrate.ts';

const created = await createDatabase();
const pool = new pg.Pool({ connectionString: created.url });

afterAll(async () => {
  await pool.end();
  await created.drop();
});

/** Takes back a migration that locks memory_terms before document_terms. */
const migration = '20261122220230_term_counters_without_foreign_keys';
const takeBack = `
  ALTER TABLE memory_terms ADD CONSTRAINT memory_terms_tenant_id_scope_key_fkey
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key);
  ALTER TABLE document_terms ADD CONSTRAINT document_terms_tenant_id_scope_key_fkey
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key);
  DELETE FROM _prisma_migrations WHERE migration_name = '${migration}'`;

/** Resolves once a migration waits for a lock of the table. */
async function waitForMigration(table: string): Promise<void> {
  const waits = 'SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted';
  await waitUntil(async () => (await pool.query(waits, [table])).rowCount === 1, { intervalMs: 20 });
}

test('a migration that the server aborts for a deadlock with a writer is repeated', async () => {
  await pool.query(takeBack);
  const writer = await pool.connect();
  // The migration is the one of the two that the server aborts.
  await writer.query(`BEGIN; SET LOCAL deadlock_timeout = '60s'; LOCK document_terms IN ROW EXCLUSIVE MODE`);
  const migrated = migrate(created.url);
  await waitForMigration('document_terms');
  await writer.query('LOCK memory_terms IN ROW EXCLUSIVE MODE');
  await writer.query('COMMIT');
  writer.release();

  expect(await migrated).toEqual([migration]);
  const { rows } = await pool.query(
    "SELECT conname FROM pg_constraint WHERE conname LIKE '%_terms_tenant_id_scope_key_fkey'",
  );
  expect(rows).toEqual([]);
});

/** A transaction that has read a table and stays open, as that of `pg_dump`. The returned function ends it. */
async function readLong(table: string): Promise<() => Promise<void>> {
  const reader = await pool.connect();
  await reader.query(`BEGIN; SELECT FROM ${table} LIMIT 1`);
  return async () => {
    await reader.query('COMMIT');
    reader.release();
  };
}

/** Reads a table as the service does, which must not wait until a long transaction ends. */
async function readAsService(table: string): Promise<void> {
  const service = await pool.connect();
  await service.query(`BEGIN; SET LOCAL lock_timeout = '20s'; SELECT FROM ${table} LIMIT 1; COMMIT`);
  service.release();
}

test('a migration lets the service go on while it waits for a long transaction', async () => {
  await pool.query(takeBack);
  const endReading = await readLong('memory_terms');
  const migrated = migrate(created.url);
  await waitForMigration('memory_terms');
  await readAsService('memory_terms');
  await endReading();
  expect(await migrated).toEqual([migration]);
});

/** Tables with a foreign key that is checked at once. */
const notDeferrable = async () => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
     WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace AND NOT condeferrable`,
  );
  return rows.map(({ name }) => name).toSorted();
};

test('a migration of many tables commits after each one, and waits for a long transaction without stopping the service', async () => {
  expect(await notDeferrable()).toEqual([]);
  const name = '20261127160100_deferrable_references';
  await pool.query(`
    CREATE TABLE parted (tenant_id integer REFERENCES tenants, part integer) PARTITION BY LIST (part);
    CREATE TABLE parted_0 PARTITION OF parted FOR VALUES IN (0);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
    ALTER TABLE scopes ADD CONSTRAINT again FOREIGN KEY (tenant_id) REFERENCES tenants;
    DELETE FROM _prisma_migrations WHERE migration_name = '${name}'`);
  const endReading = await readLong('parted_1');
  const migrated = migrate(created.url);
  await waitUntil(async () => (await notDeferrable()).join() === 'parted');
  await waitForMigration('parted_1');
  await readAsService('parted');
  await endReading();
  expect(await migrated).toEqual([name]);
  expect(await notDeferrable()).toEqual([]);
  expect(await migrate(created.url)).toEqual([]);
});

test('each migration has a timestamp of its own, except the released ones', async () => {
  const names = await migrationNames();
  const timestampOf = (name: string | undefined) => name?.slice(0, name.indexOf('_'));
  const shared = names.filter((name, index) => timestampOf(name) === timestampOf(names[index + 1]));
  expect(shared).toEqual(['20261120030000_handoff_generation', '20261127050000_package_summaries']);
});
