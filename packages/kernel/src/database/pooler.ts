import type pg from 'pg';
import { SettingsError } from '../config/load.ts';
import { isLostStatement } from '../errors/database-errors.ts';
import { withTimeLimit } from '../process/time.ts';
import { ServiceClient } from './writer.ts';

/** Limit of one step of a check, in milliseconds. */
const limitMs = 3_000;

/** Limit of the wait for the end of a connection, in milliseconds: a server that hangs never confirms it. */
const endMs = 500;

const pidSql = 'SELECT pg_backend_pid() AS pid';

/** A statement that a pooler which does not track names loses together with the session. */
const named = { name: 'continuity_pooler_check', text: 'SELECT $1::int AS value' };

/** Number of the checks that must agree that clients keep their session. */
const rounds = 3;

/** Limit of the sessions that the check holds. */
const maxHolders = 3;

type Found = 'server' | 'sessions' | 'transactions' | 'lost-names';

/**
 * Throws a `SettingsError` if the address is a pooler in transaction mode: locks, LISTEN and settings of a session need PostgreSQL itself.
 */
export async function refusePooler(directUrl: string): Promise<void> {
  const found = await findPooler(directUrl);
  if (found === 'server' || found === 'sessions') return;
  throw new SettingsError(
    'The address of PostgreSQL is a pooler in transaction mode, and migrations, LISTEN and locks need PostgreSQL itself: set DATABASE_DIRECT_URL to its address, without a pooler.',
  );
}

/** Throws a `SettingsError` if the pooler at `url` loses the names of prepared statements, and statements have names. */
export async function refuseLostNames(url: string): Promise<void> {
  if ((await findPooler(url)) === 'lost-names') throw lostNamesRefusal();
}

export function lostNamesRefusal(): SettingsError {
  return new SettingsError(
    'The pooler of DATABASE_URL loses prepared statements: set max_prepared_statements of PgBouncer 1.21 or newer to 400, or DATABASE_PREPARED_STATEMENTS to off.',
  );
}

/**
 * Finds out what is at an address: PostgreSQL (`server`), a pooler whose clients keep their session (`sessions`), or one that may give each
 * transaction another session, which keeps the names of statements (`transactions`) or not (`lost-names`). A pooler with a single session
 * cannot be told apart from one that keeps names.
 */
async function findPooler(url: string): Promise<Found> {
  for (let round = 1; ; round += 1) {
    const found = await lookAt(url);
    // Another client of a busy pooler may have held the session that the check looks for.
    if (found !== 'sessions' || round === rounds) return found;
  }
}

async function lookAt(url: string): Promise<Found> {
  return await withClient(url, async (client) => {
    const first = await pidOf(client);
    // A pooler gives its clients process ids of its own.
    if ((client as pg.Client & { processID: number | null }).processID === first) return 'server';
    await client.query({ ...named, values: [1] });
    return await holdSession(url, first, maxHolders, async () => {
      const second = await pidOf(client).catch((error: Error) => {
        // All sessions are held, and this client has none of its own.
        if (/timeout/.test(error.message)) return undefined;
        throw error;
      });
      if (second === first) return 'sessions';
      return await client.query({ ...named, values: [2] }).then(
        () => 'transactions' as const,
        (error: unknown) => {
          if (isLostStatement(error)) return 'lost-names' as const;
          throw error;
        },
      );
    });
  });
}

/**
 * Runs `work` while other clients hold sessions, among them `pid` if it does not belong to the client that has used it last. Another client
 * of the pooler may take a session in between, so there are up to `holders`.
 */
async function holdSession<T>(url: string, pid: number, holders: number, work: () => Promise<T>): Promise<T> {
  if (holders === 0) return await work();
  return await withClient(url, async (holder) => {
    await holder.query('BEGIN');
    return (await pidOf(holder)) === pid ? await work() : await holdSession(url, pid, holders - 1, work);
  });
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(pidSql);
  return rows[0]?.pid ?? 0;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new ServiceClient({
    connectionString: url,
    application_name: 'continuity-pooler-check',
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  // A broken connection fails the next statement. Without a listener, the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await withTimeLimit(client.end(), endMs).catch(() => undefined);
  }
}
