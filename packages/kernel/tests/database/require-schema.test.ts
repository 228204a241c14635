import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { release } from '../../src/database/release.ts';
import { requireSchema } from '../../src/database/require-schema.ts';

const created = await createDatabase();
const database = openDatabase({ url: created.url, size: 2, name: 'test', onIdleError: () => {} });

afterAll(async () => {
  await database.close();
  await created.drop();
});

const older =
  'The database has no schema or that of an older release: migrate it by `node dist/migrate.mjs`, then start again.';
const newer =
  'The database has the schema of a newer release, which does not support this one: start processes of the newer release.';

const run = (sql: string) => database.pool.query(sql);
const setRelease = (newest: number, oldest: number) =>
  run(`UPDATE deployment SET release = ${newest}, oldest_release = ${oldest}`);

test('a database without one of the migrations, or without any, is of an older release', async () => {
  await requireSchema(database);
  await run(
    `UPDATE _prisma_migrations SET finished_at = NULL
     WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`,
  );
  await expect(requireSchema(database)).rejects.toMatchObject({ name: 'StartRefusedError', message: older });
  await run('ALTER TABLE _prisma_migrations RENAME TO hidden');
  await expect(requireSchema(database)).rejects.toMatchObject({ name: 'StartRefusedError', message: older });
  await run('ALTER TABLE hidden RENAME TO _prisma_migrations');
  await run('UPDATE _prisma_migrations SET finished_at = now()');
});

test('a database with other migrations is of a newer release, which names the oldest release that it supports', async () => {
  await run(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ('1', '', '29991231000000_future', now(), 1)`,
  );
  await expect(requireSchema(database)).rejects.toMatchObject({ name: 'StartRefusedError', message: newer });
  await setRelease(release + 2, release + 1);
  await expect(requireSchema(database)).rejects.toMatchObject({ message: newer });
  await setRelease(release + 1, release);
  await requireSchema(database);
  // The migration of an older release changes nothing about it.
  await migrate(created.url);
  expect((await run('SELECT release, oldest_release FROM deployment')).rows).toEqual([
    { release: release + 1, oldest_release: release },
  ]);
});
