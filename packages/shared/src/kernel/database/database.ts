import type pg from 'pg';
import { plannerSql } from './planner.ts';
import { createPool, type PoolOptions } from './pool.ts';
import { createPrisma, type Prisma } from './prisma-client.ts';
import { type Sql, sqlOver, type Transaction } from './sql.ts';
import {
  inTransaction,
  onSnapshot,
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
  pool: pg.Pool;
  /** Connections of `prisma`, `prismaTransaction` and `prismaSnapshot`, with the default planner settings. */
  prismaPool: pg.Pool;
  /** Runs single statements. */
  sql: Sql;
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
   * `sql` is what `transaction` passes too, so that an area's function which takes `Sql` or `Transaction` works in both.
   */
  prismaTransaction<T>(work: (transaction: PrismaTransaction) => Promise<T>): Promise<T>;
  /** Runs reads that all see the same moment. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Runs Prisma queries and statements that only read, and all see the same moment. */
  prismaSnapshot<T>(work: (snapshot: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Share of the connections that Prisma uses. */
const prismaShare = 0.4;

/**
 * Opens the database. Connects when the first query is sent. `size` is the number of connections of both pools together;
 * each pool has at least one.
 */
export function openDatabase(options: PoolOptions): Database {
  const prismaSize = Math.max(1, Math.floor(options.size * prismaShare));
  const pool = createPool({
    ...options,
    size: Math.max(1, options.size - prismaSize),
    sessionSql: plannerSql,
  });
  const prismaPool = createPool({ ...options, size: prismaSize });
  const prisma = createPrisma(prismaPool);
  return {
    pool,
    prismaPool,
    sql: sqlOver(pool),
    prisma,
    transaction: (work) => inTransaction(pool, work),
    prismaTransaction: (work) => inTransaction(prismaPool, withPrisma(prisma, work)),
    snapshot: (work) => onSnapshot(pool, work),
    prismaSnapshot: (work) => onSnapshot(prismaPool, withPrisma(prisma, work)),
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([pool.end(), prismaPool.end()]);
    },
  };
}
