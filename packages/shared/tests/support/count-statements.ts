import type pg from 'pg';

/**
 * How many messages with a statement, BEGIN and COMMIT included, `work` sends. The pool must have one connection only: what is
 * counted is all that is sent.
 */
export async function statementsOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const query = client.query;
  let statements = 0;
  client.query = ((...values: unknown[]) => {
    statements += 1;
    return Reflect.apply(query, client, values) as unknown;
  }) as typeof query;
  client.release();
  try {
    await work();
  } finally {
    client.query = query;
  }
  return statements;
}
