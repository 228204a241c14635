import type { ServerIdentity, Service } from '../process/service.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { Epochs } from './epochs.ts';
import { noConnection, readOnlyServer } from './no-connection.ts';
import { createPool, type DatabaseAddress, databaseAddressOf, type PoolOptions } from './pool.ts';
import { refuseLostNames, refusePooler } from './pooler.ts';
import { createPrisma, type Prisma } from './prisma-client.ts';
import { type ServerWatch, watchServer } from './server-watch.ts';
import type { ServicePool } from './service-pool.ts';
import { plannerSql } from './session.ts';
import { type Sql, sqlOver, type Transaction } from './sql.ts';
import {
  inTransaction,
  onSnapshot,
  onSnapshotThen,
  type PrismaTransaction,
  type Queries,
  withPrisma,
} from './transaction.ts';

/**
 * The access to PostgreSQL: named statements for hot paths, Prisma Client for everything else. Both answer the same types:
 * `number` for `bigint`, `Buffer` for `bytea`, `Date` for times, parsed values for `jsonb`.
 */
export interface Database {
  /** Connections of `sql`, `transaction` and `snapshot`, with the planner settings of the named statements. */
  pool: ServicePool;
  /** Connections of `prisma`, `prismaTransaction` and `prismaSnapshot`, with the default planner settings. */
  prismaPool: ServicePool;
  /** Tells when ids that this process holds may be unknown to the server. */
  epochs: Epochs;
  /** What the server must be, in a deployment with several. */
  server: ServerIdentity | undefined;
  /** Runs single statements. */
  sql: Sql;
  /** Runs single statements that may wait for a locked row. */
  lockingSql: Sql;
  /** Runs single queries. */
  prisma: Prisma;
  /** Runs statements in one transaction. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs Prisma queries and statements in one transaction on one connection:
   *
   *     await database.prismaTransaction(async ({ prisma, sql }) => {
   *       const scope = await prisma.scope.create({ data });
   *       await addSource(sql, tenantId, scope.scopeKey, source);
   *     });
   *
   * `sql` has the type that `transaction` passes, so a function that takes `Sql` or `Transaction` works in both.
   */
  prismaTransaction<T>(work: (transaction: PrismaTransaction) => Promise<T>): Promise<T>;
  /** Runs reads that all see the same moment. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Runs `read` as `snapshot` does, then `use` with its result, outside of the snapshot but on the same connection: `sql` runs
   * single statements, the first one without waiting for COMMIT. `use` must not wait for another connection, which could deadlock
   * the pool, or for anything slow. Rejects if COMMIT fails, although `use` has run.
   */
  snapshotThen<T, R>(read: (sql: Sql) => Promise<T>, use: (value: T, sql: Sql) => Promise<R>): Promise<R>;
  /** Runs Prisma queries and statements that only read, and all see the same moment. */
  prismaSnapshot<T>(work: (snapshot: Queries) => Promise<T>): Promise<T>;
  /**
   * Returns this database for the work of `key`. Its transactions and locking statements hold at most half of the connections.
   * Further ones of the same key wait, and get 503 `database_unavailable` if the first are stuck. Use it where many requests lock
   * the same rows, with a key that names these rows and their tenant.
   */
  limitedBy(key: string): Database;
  /**
   * Throws a `SettingsError` if a pooler is where sessions are needed, or loses prepared statements. Checks once: later calls resolve at
   * once.
   */
  requireSessions(): Promise<void>;
  close(): Promise<void>;
}

interface DatabaseOptions extends PoolOptions {
  /**
   * Whether queries fail within 5 s when the server hangs, instead of after 30 s. It takes another connection, from the start.
   */
  watchesServer?: boolean;
  server?: ServerIdentity | undefined;
}

/** Share of the connections that Prisma uses. */
const prismaShare = 0.4;

/**
 * Opens the database. Connects when the first query is sent. `size` is the number of connections of both pools together;
 * each pool has at least one.
 */
export function openDatabase({ watchesServer = false, server, ...options }: DatabaseOptions): Database {
  const prismaSize = Math.max(1, Math.floor(options.size * prismaShare));
  const size = Math.max(1, options.size - prismaSize);
  const epochs = new Epochs();
  const pool = createPool({ ...options, epochs, size, sessionSql: plannerSql });
  const prismaPool = createPool({ ...options, epochs, size: prismaSize });
  // Created at the first use, because it takes 20 MB of memory.
  let client: Prisma | undefined;
  const openPrisma = () => {
    client ??= createPrisma(prismaPool);
    return client;
  };
  const watch = watchesServer
    ? watchPools(options.directUrl ?? options.url, epochs, [pool, prismaPool])
    : undefined;
  const sql = sqlOver(pool);
  const limit = new ConnectionLimit(size, () => pool.queuedCount > 0);
  const prismaLimit = new ConnectionLimit(prismaSize, () => prismaPool.queuedCount > 0);
  let areSessionsChecked = false;
  const database: Database = {
    pool,
    prismaPool,
    epochs,
    server,
    sql,
    lockingSql: sql,
    get prisma() {
      return openPrisma();
    },
    transaction: (work) => inTransaction(pool, work),
    prismaTransaction: (work) => inTransaction(prismaPool, withPrisma(openPrisma(), work)),
    snapshot: (work) => onSnapshot(pool, work),
    snapshotThen: (read, use) => onSnapshotThen(pool, read, use),
    prismaSnapshot: (work) => onSnapshot(prismaPool, withPrisma(openPrisma(), work)),
    limitedBy: (key) =>
      // Inherits the rest. Copying it would read `prisma`, which creates the client.
      Object.assign(Object.create(database), {
        lockingSql: {
          rows: (statement, values) => limit.run(key, () => sql.rows(statement, values)),
          first: (statement, values) => limit.run(key, () => sql.first(statement, values)),
        },
        transaction: (work) => limit.run(key, () => database.transaction(work)),
        prismaTransaction: (work) => prismaLimit.run(key, () => database.prismaTransaction(work)),
      } satisfies Partial<Database>),
    requireSessions: async () => {
      const { url, directUrl = url, preparesStatements = true } = options;
      if (areSessionsChecked) return;
      await refusePooler(directUrl);
      if (directUrl !== url && preparesStatements) await refuseLostNames(url);
      areSessionsChecked = true;
    },
    close: async () => {
      await watch?.stop();
      await client?.$disconnect();
      await Promise.all([pool.end(), prismaPool.end()]);
    },
  };
  return database;
}

function watchPools(url: string, epochs: Epochs, pools: ServicePool[]): ServerWatch {
  const watch = watchServer({
    url,
    epochs,
    onHang: () => {
      for (const pool of pools) pool.failAll(noConnection('The database server does not answer.'));
    },
    onReadOnly: () => {
      for (const pool of pools) pool.failAll(readOnlyServer());
    },
  });
  for (const pool of pools) pool.isHanging = watch.isHanging;
  return watch;
}

/** Longest wait for a locked counter row. */
const lockLimit = '2s';

/**
 * Two columns that make a statement a best-effort write: the commit does not wait for the disk, and the statement fails if a row
 * stays locked for over two seconds. Use it for counters whose loss is harmless, in a separate transaction.
 */
export const bestEffortWrite = `set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '${lockLimit}', true)`;

/**
 * Opens the database of a service process: the pools of its settings with their metrics, and a watch of the server, so that queries
 * fail within 5 s when it hangs. Closes with the resources of the process.
 */
export function openProcessDatabase(
  { settings, logger, telemetry, resources, server }: Service,
  name: string,
): { database: Database; address: DatabaseAddress } {
  const address = databaseAddressOf(settings);
  const database = openDatabase({
    ...address,
    size: settings.DATABASE_POOL_SIZE,
    name,
    watchesServer: true,
    server,
    onIdleError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  });
  resources.onClose('database', () => database.close());
  for (const pool of [database.pool, database.prismaPool])
    resources.onClose('pool metrics', telemetry.metrics.watchPool(pool));
  return { database, address };
}
