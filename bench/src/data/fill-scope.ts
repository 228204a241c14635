import pg from 'pg';
import type { HttpLoad } from '../load/http-load.ts';
import { recordRemember, type ScopeHead } from '../load/record-remember.ts';
import { entryBytes } from '../load/requests.ts';
import type { SentStatement } from '../load/round-trips.ts';
import type { Random } from './random.ts';
import { createScopes } from './scopes.ts';
import { type Entry, makeEntry } from './texts.ts';

/** Remembers per transaction. More would leave more dead rows than single remembers do. */
const perCommit = 50;

export interface FilledScope {
  scopeId: string;
  /** Its entries, the first one aside. */
  known: Entry[];
}

/** Creates Scopes of `count` entries each, one revision for each entry. */
export async function createFilledScopes(
  { load, url, databaseUrl }: { load: HttpLoad; url: string; databaseUrl: string },
  scopeIds: string[],
  count: number,
  random: Random,
): Promise<FilledScope[]> {
  const filled: FilledScope[] = [];
  for (const head of await createScopes(load, url, databaseUrl, scopeIds, random))
    filled.push({ scopeId: head.scopeId, known: await fillScope(databaseUrl, head, count - 1, random) });
  return filled;
}

/** Remembers `count` entries in a Scope by the SQL statements of the service. Returns the entries. */
async function fillScope(
  databaseUrl: string,
  head: ScopeHead,
  count: number,
  random: Random,
): Promise<Entry[]> {
  const client = new pg.Client({ connectionString: databaseUrl, pipeline: true });
  await client.connect();
  try {
    // The data can be lost in a crash: a failed benchmark is repeated.
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

/** Keeps only the write of each remember, its last round trip: without another writer, no lock is needed. */
async function recordWrites(head: ScopeHead, entries: Entry[]): Promise<SentStatement[]> {
  const writes: SentStatement[] = [];
  for (const entry of entries) {
    const last = (await recordRemember(head, entry)).at(-1) ?? [];
    writes.push(...last.filter(({ statement }) => statement !== 'COMMIT'));
  }
  return writes;
}

async function commit(client: pg.Client, writes: SentStatement[]): Promise<void> {
  const sent = writes.map(({ statement, values }) =>
    client.query({ ...(statement as Exclude<SentStatement['statement'], string>), values }),
  );
  await Promise.all([client.query('BEGIN'), ...sent, client.query('COMMIT')]);
}

/** Vacuums and analyzes all tables, as autovacuum does over time. */
export async function vacuumTables(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
