import pg from 'pg';
import { recordRemember, type ScopeHead } from '../load/remember.ts';
import { entryBytes } from '../load/requests.ts';
import type { Sent } from '../load/transaction.ts';
import type { Random } from './random.ts';
import { type Entry, makeEntry } from './texts.ts';

/** Remembers that share one transaction; more would leave more dead rows behind than separate ones do. */
const perCommit = 50;

/**
 * Remembers `count` entries in a Scope, a revision each, by the statements of the service without its requests. Answers what
 * it has remembered.
 */
export async function fillScope(
  databaseUrl: string,
  head: ScopeHead,
  count: number,
  random: Random,
): Promise<Entry[]> {
  const client = new pg.Client({ connectionString: databaseUrl, pipeline: true });
  await client.connect();
  try {
    // What is filled in is not what is measured, and may be lost with the machine.
    await client.query('SET synchronous_commit = off');
    const entries = Array.from({ length: count }, () => makeEntry(random, entryBytes));
    let before: Promise<unknown> = Promise.resolve();
    for (let start = 0; start < count; start += perCommit) {
      const writes = await recordWrites(head, entries.slice(start, start + perCommit));
      await before;
      before = commit(client, writes);
    }
    await before;
    return entries;
  } finally {
    await client.end();
  }
}

/** The last round trip of a remember is its write; there is no other writer to be locked out. */
async function recordWrites(head: ScopeHead, entries: Entry[]): Promise<Sent[]> {
  const writes: Sent[] = [];
  for (const entry of entries) {
    const last = (await recordRemember(head, entry)).at(-1) ?? [];
    writes.push(...last.filter(({ statement }) => statement !== 'COMMIT'));
  }
  return writes;
}

async function commit(client: pg.Client, writes: Sent[]): Promise<void> {
  const sent = writes.map(({ statement, values }) =>
    client.query({ ...(statement as Exclude<Sent['statement'], string>), values }),
  );
  await Promise.all([client.query('BEGIN'), ...sent, client.query('COMMIT')]);
}

/** As autovacuum leaves tables that have grown over days. */
export async function settleTables(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
