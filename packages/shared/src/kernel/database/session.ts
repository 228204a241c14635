import pg from 'pg';

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
 * of the server refuse start-up options.
 */
export async function configureSession(client: pg.ClientBase, furtherSql?: string): Promise<void> {
  await client.query(furtherSql === undefined ? limitsSql : `${limitsSql}; ${furtherSql}`);
}

/**
 * Connects for statements and waits that may take any time, such as migrations. The server closes the session once its process
 * is silent for 6 s, so that another process gets the session's advisory locks. Call `end` after use.
 */
export async function openLongSession(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name, keepAlive: true });
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
