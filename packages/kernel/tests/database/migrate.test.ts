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
  await waitUntil(async () => (await pool.query(waits, [table])).rowCount === 1);
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

test('each migration has a timestamp of its own, except the released ones', async () => {
  const names = await migrationNames();
  const timestampOf = (name: string | undefined) => name?.slice(0, name.indexOf('_'));
  const shared = names.filter((name, index) => timestampOf(name) === timestampOf(names[index + 1]));
  expect(shared).toEqual(['20261120030000_handoff_generation', '20261127050000_package_summaries']);
});
