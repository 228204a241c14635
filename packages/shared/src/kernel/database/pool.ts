import pg from 'pg';
import { settlePlanner } from './planner.ts';

/** Positions, counts and revisions are far below 2^53; a string in their place would only be a trap. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
/** OID of `bigint[]` in pg_type, which the driver has no name for. */
const int8Array = 1016 as Parameters<typeof pg.types.setTypeParser>[0];
// `{1,2,3}`: no column of ours holds a null element or a nested array.
pg.types.setTypeParser(int8Array, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
);

/** No statement of the service takes nearly as long. */
const queryLimitMs = 30_000;

export interface PoolOptions {
  url: string;
  size: number;
  /** Shows in pg_stat_activity. */
  name: string;
  /** Told of a connection that broke while idle; the pool replaces it by itself. */
  onIdleError: (error: Error) => void;
}

/**
 * One pool a process. Connections pipeline: statements that are sent without waiting for one another share a round
 * trip, and the server still runs them in order.
 */
export function createPool({ url, size, name, onIdleError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: name,
    // Also how long a burst of requests may wait for one another before some are turned away.
    connectionTimeoutMillis: 10_000,
    // A server that hangs without closing its connections is one that does not answer.
    query_timeout: queryLimitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: true,
    onConnect: settlePlanner,
  });
  pool.on('error', onIdleError);
  // A connection that breaks between two statements of a transaction has no statement to fail: the next one does. Without
  // a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
