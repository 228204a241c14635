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
}

/** Starts a standby of a server, and resolves when it streams. */
export async function startStandby(primary: PostgresServer): Promise<Standby> {
  const directory = await primary.backUp();
  const { hostname, port, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(directory, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(join(directory, 'standby.signal'), '');
  await takeOwnership(directory);
  const standby = await startPostgres({ directory });
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
  };
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
