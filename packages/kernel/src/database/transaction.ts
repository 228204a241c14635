import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isRetryable, isTransactionAborted } from '../errors/database-errors.ts';
import { type Backoff, jitteredBackoffMs } from '../process/repeat.ts';
import { withSpan } from '../telemetry/tracing.ts';
import { joinTransaction, type Prisma, type TransactionPrisma } from './prisma-client.ts';
import { type Sql, sqlOver, type Transaction } from './sql.ts';
import type { Row, Statement } from './statement.ts';

/** Limit of the attempts of one transaction that fails by deadlock or serialization. */
const maxAttempts = 5;

/** Limit of the random delay between two attempts. Without one, a transaction would lock its rows again before others wake up. */
const retryBackoff: Backoff = { firstMs: 20, longestMs: 160 };

/** Runs statements and Prisma queries: the database (each on its own), or one transaction. */
export interface Queries {
  sql: Sql;
  prisma: TransactionPrisma;
}

/** One open transaction for statements and Prisma queries alike. */
export interface PrismaTransaction extends Queries {
  sql: Transaction;
}

/** A transaction's work, with the connection that the transaction is open on. */
type Work<T> = (sql: Transaction, client: pg.PoolClient) => Promise<T>;

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. After a deadlock or a serialization failure, it runs `work` again
 * (spec 10 §1.4), so `work` must have no effect outside the database. It holds no connection between two attempts. Rejects, and
 * commits nothing, if `work` rejects or ignored a failed statement.
 */
export function inTransaction<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  return withSpan('transaction', {}, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await commitOnce(pool, work);
      } catch (error) {
        if (attempt === maxAttempts || !isRetryable(error)) throw error;
        await sleep(jitteredBackoffMs(retryBackoff, attempt));
      }
    }
  });
}

/** Adds a Prisma Client on the same connection to the work of a transaction. */
export function withPrisma<T>(prisma: Prisma, work: (transaction: PrismaTransaction) => Promise<T>): Work<T> {
  return (sql, client) => joinTransaction(prisma, client, (joined) => work({ sql, prisma: joined }));
}

/** Runs reads on one snapshot: each sees what was committed before the first of them (spec 10 §1.4). */
export function onSnapshot<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  return withSpan('snapshot', {}, async () => {
    const { value, commit } = await openSnapshot(pool, work);
    await commit();
    return value;
  });
}

/** See `Database.snapshotThen`. */
export async function onSnapshotThen<T, R>(
  pool: pg.Pool,
  read: Work<T>,
  use: (value: T, sql: Sql) => Promise<R>,
): Promise<R> {
  const { value, commitThen } = await withSpan('snapshot', {}, () => openSnapshot(pool, read));
  return await commitThen((sql) => use(value, sql));
}

function openSnapshot<T>(pool: pg.Pool, work: Work<T>): Promise<Uncommitted<T>> {
  return runUncommitted(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
}

async function commitOnce<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  const { value, commit } = await runUncommitted(pool, 'BEGIN', work);
  await commit();
  return value;
}

/** The result of work whose transaction is still open. */
interface Uncommitted<T> {
  value: T;
  /** Commits and releases the connection. Every caller must call this or `commitThen`. */
  commit(): Promise<void>;
  /** As `commit`, but runs `use` before the release. Its statements follow COMMIT on the same connection, each on its own. */
  commitThen<R>(use: (sql: Sql) => Promise<R>): Promise<R>;
}

/**
 * Runs `work` in a new transaction and leaves it open. If `work` or the COMMIT fails, rolls back and releases the connection.
 */
async function runUncommitted<T>(pool: pg.Pool, begin: string, work: Work<T>): Promise<Uncommitted<T>> {
  const client = await pool.connect();
  const transaction = new OpenTransaction(client);
  const rollBackOnError = async <R>(step: () => Promise<R>): Promise<R> => {
    try {
      return await step();
    } catch (error) {
      await rollBack(client, transaction);
      throw error;
    }
  };
  const value = await rollBackOnError(async () => {
    // BEGIN shares its round trip with the first statement of the work.
    const [begun, worked] = await Promise.allSettled([client.query(begin), work(transaction, client)]);
    if (begun.status === 'rejected') throw begun.reason;
    if (worked.status === 'rejected') throw worked.reason;
    return worked.value;
  });
  const commitThen = <R>(use: (sql: Sql) => Promise<R>) =>
    rollBackOnError(async () => {
      const sql = new WatchedSql(client);
      const [committed, used] = await Promise.allSettled([transaction.commit(), use(sql)]);
      if (committed.status === 'rejected') throw committed.reason;
      if (used.status === 'rejected') throw used.reason;
      client.release(sql.failure);
      return used.value;
    });
  return { value, commit: () => commitThen(async () => undefined), commitThen };
}

/** Gives the connection back after ROLLBACK. A connection that fails it is closed: its state is unknown. */
async function rollBack(client: pg.PoolClient, transaction: OpenTransaction): Promise<void> {
  transaction.close();
  await client.query('ROLLBACK').then(
    () => client.release(),
    (error: Error) => client.release(error),
  );
}

/** Runs single statements on a connection. Keeps an error of one of them: it may mean that the connection is lost. */
class WatchedSql implements Sql {
  readonly #sql: Sql;
  failure: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.#sql = sqlOver(client);
  }

  readonly rows = async <R extends Row>(statement: Statement<R>, values: unknown[]) => {
    try {
      return await this.#sql.rows(statement, values);
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  };

  readonly first = async <R extends Row>(statement: Statement<R>, values: unknown[]) =>
    (await this.rows(statement, values))[0];
}

class OpenTransaction implements Transaction {
  readonly #client: pg.PoolClient;
  readonly #sql: Sql;
  #state: 'open' | 'committed' | 'closed' = 'open';
  /** The error of the first statement that failed. */
  #failure: unknown;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.#sql = sqlOver(client);
  }

  readonly rows = async <R extends Row>(statement: Statement<R>, values: unknown[]) => {
    if (this.#state !== 'open') throw new Error(`The transaction of ${statement.name} has ended.`);
    try {
      return await this.#sql.rows(statement, values);
    } catch (error) {
      this.#failure ??= error;
      // A statement that was sent together with the failed one tells nothing of the cause.
      throw isTransactionAborted(error) ? this.#failure : error;
    }
  };

  readonly first = async <R extends Row>(statement: Statement<R>, values: unknown[]) =>
    (await this.rows(statement, values))[0];

  async commitWith<R extends Row>(last: Statement<R>, values: unknown[]): Promise<R[]> {
    // After a failed statement the server answers COMMIT with ROLLBACK, so that the two may share a round trip.
    const [read, committed] = await Promise.allSettled([this.rows(last, values), this.commit()]);
    // The error of the statement is the cause of the ROLLBACK, whichever of the two settles first.
    if (read.status === 'rejected') throw read.reason;
    if (committed.status === 'rejected') throw committed.reason;
    return read.value;
  }

  /** Commits, unless `commitWith` has. */
  async commit(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'committed';
    const { command } = await this.#client.query('COMMIT');
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back: one of its statements failed.');
  }

  close(): void {
    this.#state = 'closed';
  }
}
