import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type PostgresServer, startPostgres, takeOwnership } from './postgres-server.ts';
import { waitUntil } from './wait.ts';

/** A standby of a server, which streams its log. */
export interface Standby extends PostgresServer {
  /** Loses everything that the primary writes from now on. */
  cutOff(): Promise<void>;
  promote(): Promise<void>;
  /** Starts this server, which was stopped, as a standby of another one with its log. */
  follow(primary: PostgresServer): Promise<void>;
}

/** Starts a standby of a server, on a free port by default, and resolves when it streams. */
export async function startStandby(
  primary: PostgresServer,
  options: { port?: number } = {},
): Promise<Standby> {
  const directory = await primary.backUp();
  await makeStandby(directory, primary);
  const standby = await startPostgres({ ...options, directory });
  const isStreaming = async () => (await ask(standby.url, 'SELECT FROM pg_stat_wal_receiver')) > 0;
  await waitUntil(isStreaming);
  return {
    ...standby,
    cutOff: async () => {
      await ask(standby.url, "ALTER SYSTEM SET primary_conninfo = ''");
      await ask(standby.url, 'SELECT pg_reload_conf()');
      await waitUntil(async () => !(await isStreaming()));
    },
    promote: async () => {
      await ask(standby.url, 'SELECT pg_promote()');
    },
    follow: async (other) => {
      await makeStandby(directory, other);
      await standby.start();
      await waitUntil(isStreaming);
    },
  };
}

/** Makes a stopped server a standby of another one. */
async function makeStandby(directory: string, primary: PostgresServer): Promise<void> {
  const { hostname, port, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(directory, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(join(directory, 'standby.signal'), '');
  await takeOwnership(directory);
}

/** Runs a statement, and returns the number of its rows. */
async function ask(url: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
