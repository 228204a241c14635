import pg from 'pg';
import { readIdentity } from './epochs.ts';
import { ServiceClient } from './writer.ts';

/** Limit of one query in milliseconds: a server that hangs without closing its connections counts as down. */
export const queryLimitMs = 30_000;

/**
 * Limits of a session. A process that freezes keeps its connections open, and with them the row locks of its transactions:
 * the server ends such a transaction, so that other writers of the row continue within ten seconds. Statements of the service
 * stay far below these limits. Migrations and index builds take longer: see `openLongSession`.
 */
export const sessionLimits = {
  /** The server closes a connection whose open transaction gets no statement for this long. */
  idle_in_transaction_session_timeout: '6s',
  /** A statement fails with SQLSTATE 55P03 after this wait for one lock. Longer than the limit above, so that waiters survive it. */
  lock_timeout: '15s',
  /** A statement fails with SQLSTATE 57014 after this time. The pool waits as long for an answer. */
  statement_timeout: '30s',
  /** The server probes a silent connection after 10 s, every 5 s, and closes it after three probes without an answer. */
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  /** The server closes a connection to a host that does not acknowledge sent data for this long. */
  tcp_user_timeout: '30s',
};

const limitsSql = setAll(sessionLimits);

/** The limits as start-up options, for sessions that a library opens and configures by start-up options anyway. */
export const sessionOptions = Object.entries(sessionLimits)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/**
 * Configures a new connection: the limits of a session, and further settings as SQL. Uses SET, because poolers in front
 * of the server refuse start-up options. Returns the identity of the database that the connection leads to, and throws for a standby.
 */
export async function configureSession(client: pg.ClientBase, furtherSql?: string): Promise<string> {
  return await readIdentity(client, furtherSql === undefined ? limitsSql : `${limitsSql}; ${furtherSql}`);
}

/**
 * Connects for statements and waits that may take any time, such as migrations. The server closes the session once its process
 * is silent for 6 s, so that another process gets the session's advisory locks. Call `end` after use.
 */
export async function openLongSession(url: string, name: string): Promise<pg.Client> {
  const client = new ServiceClient({ connectionString: url, application_name: name, keepAlive: true });
  // A broken connection fails the next statement. Without a listener, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  // The role may have limits of its own.
  const unlimited = { lock_timeout: '0', statement_timeout: '0' };
  await client.query(setAll({ ...sessionLimits, ...unlimited, idle_session_timeout: '6s' }));
  return client;
}

/** SQL that sets each setting for the session. */
export function setAll(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = '${value}'`)
    .join('; ');
}

/**
 * Planner settings for the named statements. Each statement is written for one plan, whatever its values: index look-ups, row by
 * row. A prepared statement keeps its plan, and the estimates behind a plan can be far off: an array or a LIMIT of unknown
 * size, a table that was almost empty when its statistics were taken. So the server plans each statement once, and scans a
 * whole table only if no index serves. Queries of Prisma run with the defaults.
 */
export const plannerSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
  // Estimates trigger compilation, which takes longer than any statement of the service.
  jit: 'off',
};

/** Makes pgvector scan past the vectors of other Scopes until it has found the number that the statement's LIMIT names. */
export const vectorSettings = { 'hnsw.iterative_scan': 'relaxed_order', 'hnsw.ef_search': '200' };

/** pgvector has these settings since 0.8. A server that has not loaded the extension accepts them as placeholders. */
const vectorSql = `
  SELECT ${Object.entries(vectorSettings)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')}
  WHERE current_setting('hnsw.ef_search', true) IS NULL OR current_setting('hnsw.iterative_scan', true) IS NOT NULL`;

/** SQL that configures the planner of a session for the named statements. */
export const plannerSql = `${setAll(plannerSettings)}; ${vectorSql}`;

/**
 * Makes the settings of the service's sessions the defaults of its role in its database. A pooler in transaction mode gives each
 * transaction another session, so that a process cannot configure its own. All sessions get the planner settings then, those of
 * Prisma included. Sessions that the pooler has opened before keep theirs.
 */
export async function configureRole(directUrl: string): Promise<void> {
  const client = await openLongSession(directUrl, 'continuity-role');
  try {
    const { rows } = await client.query('SELECT current_database() AS database');
    const database = pg.escapeIdentifier(String(rows[0]?.database));
    const settings = {
      ...sessionLimits,
      ...plannerSettings,
      ...((await loadVectors(client)) && vectorSettings),
    };
    for (const [name, value] of Object.entries(settings))
      await client.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = ${pg.escapeLiteral(value)}`,
      );
  } finally {
    await client.end();
  }
}

/** Loads pgvector, so that its settings are known. False if the database has none with iterative scans. */
async function loadVectors(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_extension WHERE extname = 'vector'");
  if (rows.length === 0) return false;
  await client.query("SELECT '[1]'::vector");
  const known = await client.query("SELECT FROM pg_settings WHERE name = 'hnsw.iterative_scan'");
  return known.rows.length > 0;
}
