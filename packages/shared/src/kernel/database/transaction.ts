import type pg from 'pg';
import { isRetryable } from '../errors/index.ts';
import { withSpan } from '../telemetry/tracing.ts';
import { type Sql, type Statement, sqlOver, type Transaction } from './sql.ts';

/** Runs of one transaction before its deadlock or serialization failure is given up. */
const maxAttempts = 5;

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. A deadlock or serialization failure runs it again from
 * the start (spec 10 §1.4), so `work` must have no effect outside the database.
 */
export function inTransaction<T>(pool: pg.Pool, work: (sql: Transaction) => Promise<T>): Promise<T> {
  return withSpan('transaction', {}, () => untilCommitted(pool, work));
}

async function untilCommitted<T>(pool: pg.Pool, work: (sql: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pool, work);
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
    }
  }
}

/**
 * Runs reads on one snapshot: each sees what was committed before the first of them, and nothing later (spec 10 §1.4). Nobody
 * waits for the end of the transaction: it has written nothing.
 */
export function onSnapshot<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  return withSpan('snapshot', {}, async () => {
    const client = await pool.connect();
    try {
      const read = await begin(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', () =>
        work(sqlOver(client)),
      );
      passOn(client);
      return read;
    } catch (error) {
      endFailed(client);
      throw error;
    }
  });
}

/** Gives the connection back at once: what the reads lead to is sent behind the end of the transaction, in one packet. */
function passOn(client: pg.PoolClient): void {
  const { stream } = (client as pg.PoolClient & pg.Client).connection;
  stream.cork();
  setImmediate(() => stream.uncork());
  // It fails with its connection alone, and then so does what is sent behind it, which tells.
  client.query('ROLLBACK').catch(() => undefined);
  client.release();
}

/** Keeps the connection until it is known that it works, and that nothing is read on it any more. */
function endFailed(client: pg.PoolClient): void {
  client.query('ROLLBACK').then(
    () => client.release(),
    (error: Error) => client.release(error),
  );
}

async function runOnce<T>(pool: pg.Pool, work: (sql: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const transaction = new OpenTransaction(client);
    const worked = await begin(client, 'BEGIN', () => work(transaction));
    if (!transaction.committed) await client.query('COMMIT');
    return worked;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** BEGIN is not awaited before the work: it shares its round trip with the first statements. */
async function begin<T>(client: pg.PoolClient, text: string, work: () => Promise<T>): Promise<T> {
  sendTogether(client);
  const [begun, worked] = await Promise.allSettled([client.query(text), work()]);
  if (begun.status === 'rejected') throw begun.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

class OpenTransaction implements Transaction {
  readonly #client: pg.PoolClient;
  readonly rows: Transaction['rows'];
  readonly first: Transaction['first'];
  committed = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    ({ rows: this.rows, first: this.first } = sqlOver(client));
  }

  async commitWith<Row extends pg.QueryResultRow>(last: Statement, values: unknown[]): Promise<Row[]> {
    // After a failed statement the server answers COMMIT with ROLLBACK, so that the two may travel together.
    sendTogether(this.#client);
    const [rows] = await Promise.all([this.rows<Row>(last, values), this.#client.query('COMMIT')]);
    this.committed = true;
    return rows;
  }
}

/** What this tick sends goes out in one packet: with one each, the server wakes up for each. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as pg.PoolClient & pg.Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
