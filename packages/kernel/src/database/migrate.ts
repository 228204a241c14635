import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { isRetryable } from '../errors/database-errors.ts';
import { type Backoff, jitteredBackoffMs } from '../process/repeat.ts';
import { refusePooler } from './pooler.ts';
import { oldestServedRelease, release } from './release.ts';
import { openLongSession } from './session.ts';

const migrationsFolder = fileURLToPath(new URL('../../../../prisma/migrations/', import.meta.url));

/** Key of the advisory lock that lets one process migrate at a time. */
export const migrationLock = 72_707_369;

/** Limit of the attempts of one migration. Writers of a busy service may cause several deadlocks in a row. */
const maxAttempts = 20;

/** Delay between two attempts. Shorter than the silence after which the server closes the session. */
const retryBackoff: Backoff = { firstMs: 50, longestMs: 1_000 };

/**
 * Limit of the wait for the lock of a table, during which all who use the table wait too, and the delay before the next attempt in
 * milliseconds. A vacuum gives way to those who wait for longer than `deadlock_timeout`, which is 1 s.
 */
const lockLimit = '1500ms';
const lockRetryMs = 3_000;

/**
 * First line of a migration that cannot be one transaction, as it locks many tables: one DO statement, which commits after each table, limits
 * its waits for locks, and can be repeated. `prisma migrate deploy` runs it too.
 */
const commitsByItself = '-- Commits by itself.\n';

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Applies the migrations that a database lacks, and returns their names. Several processes may run it at once. It uses the
 * folder and the bookkeeping table of Prisma, so that `prisma migrate deploy` sees the same state; Prisma's own command
 * downloads an engine at run time, which a deployment without internet cannot do. Its statements have no time limits, but a
 * process that freezes loses its session. Throws a `SettingsError` for a pooler in transaction mode.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  await refusePooler(databaseUrl);
  const client = await openLongSession(databaseUrl, 'continuity-migrate');
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await client.query(bookkeeping);
    const applied = await applyMissing(client);
    await client.query(recordRelease, [release, oldestServedRelease]);
    return applied;
  } finally {
    await client.end();
  }
}

/** Names of the migrations of this build, in order. Readiness requires all of them. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function applyMissing(client: pg.Client): Promise<string[]> {
  const applied = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL',
  );
  const checksums = new Map(applied.rows.map((row) => [row.migration_name, row.checksum]));
  const fresh: string[] = [];
  for (const migration of await readMigrations()) {
    const known = checksums.get(migration.name);
    if (known === undefined) {
      await apply(client, migration);
      fresh.push(migration.name);
    } else if (known !== migration.checksum) {
      throw new Error(`Migration ${migration.name} was changed after it was applied to this database.`);
    }
  }
  return fresh;
}

/**
 * Applies a migration. Retries after a deadlock, because a running service may write at the same time. Behind a long transaction that uses a
 * table, such as that of `pg_dump`, it tries until that ends, so that the service never waits for longer than `lockLimit`.
 */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const isWhole = !migration.sql.startsWith(commitsByItself);
  for (let failures = 0; ; ) {
    try {
      await (isWhole ? applyWhole(client, migration) : applyInParts(client, migration));
      return;
    } catch (cause) {
      if (!isLocked(cause)) failures += 1;
      const retryMs = retryDelayMs(cause, failures);
      if (retryMs === undefined) throw failureOf(migration, isWhole, cause);
      await client.query('ROLLBACK');
      await sleep(retryMs);
    }
  }
}

/** Delay before the next attempt in milliseconds; undefined after a failure that would repeat itself. */
function retryDelayMs(cause: unknown, failures: number): number | undefined {
  if (isLocked(cause)) return lockRetryMs;
  return isRetryable(cause) && failures < maxAttempts ? jitteredBackoffMs(retryBackoff, failures) : undefined;
}

/** Whether a lock was not free in time. */
function isLocked(cause: unknown): boolean {
  return (cause as { code?: unknown }).code === '55P03';
}

function failureOf({ name }: Migration, isWhole: boolean, cause: unknown): Error {
  const left = isWhole
    ? 'and left nothing behind'
    : 'partway: repeat it, and it goes on with the other tables';
  return new Error(`Migration ${name} failed ${left}.`, { cause });
}

async function applyWhole(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = '${lockLimit}'`);
  await client.query(migration.sql);
  await recordApplied(client, migration);
  await client.query('COMMIT');
}

async function applyInParts(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(migration.sql);
  await recordApplied(client, migration);
}

async function recordApplied(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
}

async function readMigrations(): Promise<Migration[]> {
  const names = await migrationNames();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${migrationsFolder}${name}/migration.sql`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Records the release of this build, unless a newer one is recorded. */
const recordRelease = `
  UPDATE deployment SET release = greatest(release, $1), oldest_release = greatest(oldest_release, $2)
  WHERE release < $1 OR oldest_release < $2`;

/** The table as Prisma creates it. */
const bookkeeping = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  varchar(36) PRIMARY KEY NOT NULL,
    checksum            varchar(64) NOT NULL,
    finished_at         timestamptz,
    migration_name      varchar(255) NOT NULL,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;
