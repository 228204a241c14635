import { fromDatabaseError, isLostStatement } from '../errors/database-errors.ts';
import { tables } from '../generated/tables.ts';
import { type Backoff, retryUntilStopped } from '../process/repeat.ts';
import { StartRefusedError } from '../process/run.ts';
import type { Logger } from '../telemetry/logger.ts';
import { column, pick } from './columns.ts';
import type { Database } from './database.ts';
import { migrationNames } from './migrate.ts';
import { lostNamesRefusal } from './pooler.ts';
import { release } from './release.ts';
import { requireServer } from './server-identity.ts';
import type { Sql } from './sql.ts';
import { deploymentStatement } from './statement.ts';

const retryBackoff: Backoff = { firstMs: 500, longestMs: 2_000 };

const appliedMigrations = deploymentStatement(
  'applied_migrations',
  'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  { migration_name: column.varchar },
);

const selectRelease = deploymentStatement(
  'schema_release',
  'SELECT release, oldest_release FROM deployment',
  pick(tables.deployment, 'release', 'oldest_release'),
);

const undefinedTable = '42P01';
const undefinedDatabase = '3D000';

/**
 * Throws a `StartRefusedError` unless the database has all migrations of this build. It may have further ones only of a newer
 * release whose schema supports this one.
 */
export async function requireSchema({ sql }: { sql: Sql }): Promise<void> {
  const rows = await sql.rows(appliedMigrations, []).catch((error: unknown) => {
    const { code } = error as { code?: unknown };
    if (code === undefinedTable) return [];
    throw refusalOfMissing(error) ?? error;
  });
  const applied = new Set(rows.map((row) => row.migration_name));
  const known = await migrationNames();
  if (known.some((name) => !applied.has(name))) {
    throw new StartRefusedError(
      'The database has no schema or that of an older release: migrate it by `node dist/migrate.mjs`, then start again.',
    );
  }
  if (applied.size === known.length) return;
  const schema = await sql.first(selectRelease, []);
  if (schema !== undefined && schema.release > release && schema.oldest_release <= release) return;
  throw new StartRefusedError(
    'The database has the schema of a newer release, which does not support this one: start processes of the newer release.',
  );
}

/** Throws a `SettingsError` or `StartRefusedError` unless a process can run on the database: see `requireSessions`, `requireSchema`, `requireServer`. */
export async function requireDatabase(database: Database): Promise<void> {
  try {
    await database.requireSessions();
  } catch (error) {
    throw refusalOfMissing(error) ?? error;
  }
  await requireSchema(database).catch((error: unknown) => {
    throw isLostStatement(error) ? lostNamesRefusal() : error;
  });
  await requireServer(database);
}

function refusalOfMissing(error: unknown): StartRefusedError | undefined {
  if ((error as { code?: unknown }).code !== undefinedDatabase) return undefined;
  return new StartRefusedError(
    'The database of DATABASE_URL does not exist: create it, or correct its name.',
  );
}

/**
 * Calls `requireDatabase`. If the database does not answer, returns at once and repeats the check in the background:
 * `later` settles with its result, and resolves without one when `signal` aborts.
 */
export async function checkSchema(
  database: Database,
  logger: Logger,
  signal: AbortSignal,
): Promise<{ later: Promise<void> }> {
  try {
    await requireDatabase(database);
    return { later: Promise.resolve() };
  } catch (error) {
    if (fromDatabaseError(error) === undefined) throw error;
    return { later: awaitSchema(database, logger, signal) };
  }
}

async function awaitSchema(database: Database, logger: Logger, stop: AbortSignal): Promise<void> {
  await retryUntilStopped(() => requireDatabase(database), {
    backoff: retryBackoff,
    stop,
    onFailure: (error) => {
      if (fromDatabaseError(error) === undefined) throw error;
      logger.warn({ err: error }, 'waiting for the database');
    },
  });
}
