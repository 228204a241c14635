import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { activeTracer, withSpan } from '../telemetry/tracing.ts';
import { createPool, type PoolOptions } from './pool.ts';
import { type Sql, sqlOver, type Transaction } from './sql.ts';
import { inTransaction, onSnapshot } from './transaction.ts';

/** The one way to PostgreSQL: plain reads and writes through Prisma, hot paths as typed SQL, over one pool. */
export interface Database {
  pool: pg.Pool;
  sql: Sql;
  prisma: PrismaClient;
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** Reads that all see one moment. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openDatabase(options: PoolOptions): Database {
  const pool = createPool(options);
  const prisma = traced(new PrismaClient({ adapter: new PrismaPg(pool) }));
  return {
    pool,
    sql: sqlOver(pool),
    prisma,
    transaction: (work) => inTransaction(pool, work),
    snapshot: (work) => onSnapshot(pool, work),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** With a span for each query, `Model.operation`, where this process is traced. */
function traced(prisma: PrismaClient): PrismaClient {
  if (activeTracer() === null) return prisma;
  const extended = prisma.$extends({
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        withSpan(model === undefined ? operation : `${model}.${operation}`, { role: 'client' }, () =>
          query(args),
        ),
    },
  });
  // Only queries are wrapped: the extended client has every member of the plain one that this service uses.
  return extended as unknown as PrismaClient;
}
