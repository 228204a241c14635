import pg from 'pg';

/** A test that waits for a row asks often, and a connection costs twenty times a query. */
const idleMs = 500;

const pools = new Map<string, pg.Pool>();

/** Runs one statement on a pooled connection to a test's database. Do not change settings of its session. */
export async function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
) {
  return (await poolOf(databaseUrl).query<Row>(text, values)).rows;
}

function poolOf(databaseUrl: string): pg.Pool {
  const existing = pools.get(databaseUrl);
  if (existing !== undefined) return existing;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    idleTimeoutMillis: idleMs,
    allowExitOnIdle: true,
  });
  // The server of a test may end: the next query then opens a new connection, or fails.
  pool.on('error', () => undefined);
  pools.set(databaseUrl, pool);
  return pool;
}
