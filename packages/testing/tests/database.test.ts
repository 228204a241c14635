import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createDatabase, waitUntil } from '../src/index.ts';

const databases = await Promise.all([createDatabase(), createDatabase()]);
const [first, second] = databases;

afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()));
});

async function tables(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    );
    return rows.map((row) => row.tablename);
  } finally {
    await client.end();
  }
}

test('each database is migrated and belongs to one caller', async () => {
  const migrated = await tables(first.url);
  expect(migrated.length).toBeGreaterThan(0);

  const client = new pg.Client({ connectionString: first.url });
  await client.connect();
  await client.query('CREATE TABLE only_here (word text)');
  await client.end();
  expect((await tables(first.url)).sort()).toEqual([...migrated, 'only_here'].sort());
  expect((await tables(second.url)).sort()).toEqual(migrated.sort());
});

test('counts open sessions, and drops a database with open sessions', async () => {
  const database = await createDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  expect(await database.connections()).toBe(1);
  await database.drop();
  await waitUntil(async () => (await database.connections()) === 0);
});
