import type { Database } from '@continuity/kernel/database';
import type pg from 'pg';

/**
 * Counts the messages with a statement, BEGIN and COMMIT included, that `work` sends. Each pool must have one connection
 * only: the function counts what that one sends.
 */
export async function statementsOf(
  { pool, prismaPool }: Database,
  work: () => Promise<unknown>,
): Promise<number> {
  const counters = [await countQueries(pool), await countQueries(prismaPool)];
  try {
    await work();
  } finally {
    for (const { stop } of counters) stop();
  }
  return counters.reduce((sum, { count }) => sum + count(), 0);
}

async function countQueries(pool: pg.Pool): Promise<{ count: () => number; stop: () => void }> {
  const client = await pool.connect();
  const query = client.query;
  let queries = 0;
  client.query = ((...values: unknown[]) => {
    queries += 1;
    return Reflect.apply(query, client, values) as unknown;
  }) as typeof query;
  client.release();
  return {
    count: () => queries,
    stop: () => {
      client.query = query;
    },
  };
}
