import type pg from 'pg';

/**
 * Limits of a session. A process that freezes keeps its connections open, and with them the row locks of its transactions:
 * the server ends such a transaction, so that other writers of the row continue within ten seconds. Statements of the service
 * stay far below these limits. Migrations and index builds have none, because they may take longer.
 */
const limits = {
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

const limitsSql = setAll(limits);

/**
 * Configures a new connection: the limits of a session, and further settings as SQL. Uses SET, because poolers in front
 * of the server refuse start-up options.
 */
export async function configureSession(client: pg.ClientBase, furtherSql?: string): Promise<void> {
  await client.query(furtherSql === undefined ? limitsSql : `${limitsSql}; ${furtherSql}`);
}

/** SQL that sets each setting for the session. */
export function setAll(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = '${value}'`)
    .join('; ');
}
