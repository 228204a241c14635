import pg from 'pg';
import { requireDatabaseUrl } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { Epochs } from './epochs.ts';
import { ServicePool } from './service-pool.ts';
import { configureSession, queryLimitMs } from './session.ts';
import { ServiceClient } from './writer.ts';

/** Positions, counts and revisions are far below 2^53, so that a number holds them. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Midnight UTC, as in Prisma, not midnight in the time zone of this process.
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => new Date(`${text}T00:00:00Z`));
/** OID of `bigint[]` in pg_type. The driver has no name for it. */
const int8Array = 1016 as Parameters<typeof pg.types.setTypeParser>[0];
// `{1,2,3}`: no column holds a null element or a nested array.
pg.types.setTypeParser(int8Array, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
);

export interface PoolOptions {
  url: string;
  /** PostgreSQL itself if `url` is a pooler in transaction mode, whose sessions a process cannot configure. See `configureRole`. */
  directUrl?: string;
  /** Default true. False for a pooler that does not track the names of statements. */
  preparesStatements?: boolean;
  size: number;
  /** Shows in pg_stat_activity. */
  name: string;
  /** Receives the error of an idle connection. The pool replaces the connection. */
  onIdleError: (error: Error) => void;
  /** SQL that runs on each new connection, after the limits of a session. */
  sessionSql?: string;
  /** Default: epochs of the pool's own. */
  epochs?: Epochs;
}

/**
 * Creates a pool. Its connections pipeline: statements that are sent without waiting for one another share a round trip, and
 * the server runs them in order.
 */
export function createPool(options: PoolOptions): ServicePool {
  const { url, directUrl = url, preparesStatements = true, size, name, onIdleError, sessionSql } = options;
  const { epochs = new Epochs() } = options;
  const isPooled = directUrl !== url;
  // A session of the pooler may lead to another server at each transaction.
  if (isPooled) epochs.expectUnknownConnections();
  const pool: ServicePool = new ServicePool({
    epochs,
    connectionString: url,
    max: size,
    application_name: name,
    query_timeout: queryLimitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    Client: preparesStatements ? ServiceClient : UnnamedStatementsClient,
    ...(!isPooled && {
      onConnect: (client) => pool.identify(client, () => configureSession(client, sessionSql)),
    }),
  });
  pool.on('error', onIdleError);
  // A connection that breaks between two statements of a transaction fails the next one. Without a listener, the event would
  // end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A connection that sends each statement without its name, so that the server keeps none of them. */
export class UnnamedStatementsClient extends ServiceClient {
  override query = ((query: unknown, ...rest: unknown[]) =>
    Reflect.apply(pg.Client.prototype.query, this, [withoutName(query), ...rest])) as pg.Client['query'];
}

function withoutName(query: unknown): unknown {
  const isNamed = typeof query === 'object' && query !== null && 'name' in query;
  return isNamed ? { ...query, name: undefined } : query;
}

/** How a process reaches PostgreSQL. */
export interface DatabaseAddress {
  /** PostgreSQL, or a pooler in transaction mode. */
  url: string;
  /** PostgreSQL itself, for what needs a session: LISTEN, locks and settings of a session. Equal to `url` without a pooler. */
  directUrl: string;
  /** Whether statements keep their names, so that each connection plans them once. */
  preparesStatements: boolean;
}

/** The address of the settings. Throws a `SettingsError` without `DATABASE_URL`. */
export function databaseAddressOf(settings: Settings): DatabaseAddress {
  const url = requireDatabaseUrl(settings);
  return {
    url,
    directUrl: settings.DATABASE_DIRECT_URL ?? url,
    preparesStatements: settings.DATABASE_PREPARED_STATEMENTS,
  };
}
