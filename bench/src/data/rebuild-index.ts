import type pg from 'pg';
import { withClient } from '../servers/query.ts';

const index = 'memory_states_terms';

/** Drops the index on terms, and builds it after `work`: faster than to insert a million rows into it. */
export async function rebuildTermIndexAfter(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ definition: string }>(
      'SELECT indexdef AS definition FROM pg_indexes WHERE indexname = $1',
      [index],
    );
    const [found] = rows;
    if (found === undefined) throw new Error(`There is no index ${index}.`);
    await client.query(`DROP INDEX ${index}`);
    await client.query(`SET maintenance_work_mem = '1GB'`);
    await work(client);
    await client.query(found.definition);
  });
}
