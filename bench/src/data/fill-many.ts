import pg from 'pg';
import { startChild } from '../load/child.ts';
import type { ScopeHead } from '../load/remember.ts';
import type { Filled, FillTask } from './fill-task.ts';

/** Connections, each of a process that makes the texts and analyzes them. */
const fillers = 2;

const index = 'memory_states_terms';

/**
 * Remembers `count` entries in each of the Scopes, a thousand a revision, by the statement of the service without its requests.
 * The index on terms is built when all rows are there: a million rows are not put into it one by one.
 */
export async function fillScopes(databaseUrl: string, heads: ScopeHead[], count: number): Promise<void> {
  await rebuildIndexAfter(databaseUrl, async () => {
    await Promise.all(
      Array.from({ length: fillers }, async (_, filler) => {
        const share = heads.filter((_head, place) => place % fillers === filler);
        const child = startChild<FillTask, Filled>('../data/fill-child.ts');
        try {
          await child.run({ databaseUrl, heads: share, count, seed: 71 + filler });
        } finally {
          await child.close();
        }
      }),
    );
  });
}

async function rebuildIndexAfter(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ definition: string }>(
      'SELECT indexdef AS definition FROM pg_indexes WHERE indexname = $1',
      [index],
    );
    const [found] = rows;
    if (found === undefined) throw new Error(`There is no index ${index}.`);
    await client.query(`DROP INDEX ${index}`);
    await work();
    await client.query(`SET maintenance_work_mem = '1GB'`);
    await client.query(found.definition);
  } finally {
    await client.end();
  }
}
