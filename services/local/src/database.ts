import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { EmbeddedPostgres, freePort, reachableDirectory } from '@continuity/embedded-postgres';
import { requireDataDirectory, type Settings, SettingsError } from '@continuity/kernel/config';
import {
  databaseAddressOf,
  migrate,
  requireSchema,
  ServiceClient,
  sqlOver,
} from '@continuity/kernel/database';
import { type Backoff, type Repetition, RetryDelays, repeat } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { backfillWorkRecords } from '@continuity/shared/work-records';
import pg from 'pg';

/** The database of the all-in-one service. */
interface LocalDatabase {
  url: string;
  stop(): Promise<void>;
}

const databaseName = 'continuity';

/** Interval between checks of the embedded server. */
const checkMs = 500;

/** Pauses after failed attempts to start it again. */
const restartBackoff: Backoff = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Opens the database of `DATABASE_URL` if set, else an embedded PostgreSQL below `DATA_DIR`, which is restarted after a
 * crash. Applies the migrations. Throws a `SettingsError` for several servers.
 */
export async function startDatabase(settings: Settings, logger: Logger): Promise<LocalDatabase> {
  if (settings.DATABASE_SERVERS_FILE !== undefined)
    throw new SettingsError('DATABASE_SERVERS_FILE is for separate processes: `npm start` has one database.');
  if (settings.DATABASE_URL !== undefined) {
    await bringUpToDate(databaseAddressOf(settings).directUrl, logger);
    return { url: settings.DATABASE_URL, stop: async () => {} };
  }
  const data = requireDataDirectory(settings);
  const directory = await serverDirectory(data);
  const server = await startOnFreePort(directory, await passwordIn(data));
  try {
    await createDatabase(server.url());
    await bringUpToDate(server.url(databaseName), logger);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const watch = restartWhenEnded(server, logger);
  return {
    url: server.url(databaseName),
    stop: async () => {
      await watch.stop();
      await server.stop();
    },
  };
}

/** Throws a `StartRefusedError` for a schema of a newer release. */
async function bringUpToDate(databaseUrl: string, logger: Logger): Promise<void> {
  await migrate(databaseUrl);
  const client = new ServiceClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    await requireSchema({ sql: sqlOver(client) });
  } finally {
    await client.end();
  }
  await backfillWorkRecords(databaseUrl, (progress) =>
    logger.info(progress, 'projected the work records of a Scope'),
  );
}

function restartWhenEnded(server: EmbeddedPostgres, logger: Logger): Repetition {
  const delays = new RetryDelays(restartBackoff);
  let retryAt = Number.NEGATIVE_INFINITY;
  const check = async () => {
    if (server.pid !== undefined || performance.now() < retryAt) return;
    logger.error('the embedded PostgreSQL has ended unexpectedly; restarting it');
    await server.start();
  };
  return repeat(checkMs, check, (error) => {
    retryAt = performance.now() + delays.next();
    logger.error({ err: error }, 'the embedded PostgreSQL failed to start');
  });
}

/**
 * A directory below `DATA_DIR`. For root, if PostgreSQL's account cannot access it, a directory elsewhere, one for each
 * `DATA_DIR`.
 */
function serverDirectory(dataDirectory: string): Promise<string> {
  const absolute = resolve(dataDirectory);
  const name = `postgres-${createHash('sha256').update(absolute).digest('hex').slice(0, 12)}`;
  return reachableDirectory(join(absolute, 'postgres'), name);
}

/** Generated once. Needed because other users of the machine can reach the port. */
async function passwordIn(dataDirectory: string): Promise<string> {
  const path = join(dataDirectory, 'postgres-password');
  await mkdir(dataDirectory, { recursive: true });
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (known !== '') return known;
  const password = randomBytes(24).toString('hex');
  // Written atomically and synced, because the database is inaccessible without the password.
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, password, { mode: 0o600, flush: true });
  await rename(draft, path);
  return password;
}

async function createDatabase(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const known = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}

const maxTries = 5;

/**
 * Starts an embedded PostgreSQL on a port of `choosePort`. A first start creates the data directory before it binds the port, so another
 * program may take the port meanwhile: tries other ports then.
 */
export async function startOnFreePort(
  directory: string,
  password: string,
  choosePort: () => Promise<number> = freePort,
): Promise<EmbeddedPostgres> {
  for (let tries = 1; ; tries += 1) {
    const port = await choosePort();
    const server = new EmbeddedPostgres({ directory, port, password });
    try {
      await server.start();
      return server;
    } catch (error) {
      if (tries === maxTries || !(await isTaken(port))) throw error;
    }
  }
}

/** Whether another program listens on a port of the loopback address. */
async function isTaken(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}
