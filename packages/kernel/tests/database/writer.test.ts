import { randomUUID } from 'node:crypto';
import { type Database, openDatabase, openLongSession, type TenantId } from '@continuity/kernel/database';
import { openConsumer, openProducer } from '@continuity/kernel/queue';
import { type PostgresServer, startPostgres, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressProblem, databaseServers } from '../../src/config/address.ts';
import { loadSettings } from '../../src/config/load.ts';

const port = { DATABASE_HOST: 'one,two', DATABASE_NAME: 'memory', DATABASE_USER: 'me' };

test('an address may have several hosts, as a URL and in parts', () => {
  const url =
    'postgresql://me:p%40ss@one:5433,[fd00::1],two/memory?sslmode=require&target_session_attrs=read-write';
  expect(addressProblem('DATABASE_URL', url)).toBeUndefined();
  expect(databaseServers(url)).toEqual({
    url: 'postgresql://me:p%40ss@one:5433/memory?sslmode=require',
    servers: [
      { host: 'one', port: 5433 },
      { host: 'fd00::1', port: 5432 },
      { host: 'two', port: 5432 },
    ],
  });
  expect(loadSettings({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
  expect(loadSettings(port).DATABASE_URL).toBe('postgresql://me@one,two/memory');
  expect(loadSettings({ ...port, DATABASE_PORT: '5433' }).DATABASE_URL).toBe(
    'postgresql://me@one:5433,two:5433/memory',
  );
  expect(loadSettings({ ...port, DATABASE_PORT: '1,2' }).DATABASE_URL).toBe(
    'postgresql://me@one:1,two:2/memory',
  );
});

test.each([
  [{ DATABASE_URL: 'postgresql://me@one,two:no/memory' }, /^DATABASE_URL is invalid: it has a host or port/],
  [
    { DATABASE_URL: 'postgresql://me@one,two/memory?target_session_attrs=prefer-standby' },
    /target_session_attrs must be read-write/,
  ],
  [{ ...port, DATABASE_PORT: '1,2,3' }, /^DATABASE_PORT must have one port, or one for each/],
  [{ REDIS_URL: 'redis://one:1,two:2' }, /^REDIS_URL is invalid/],
])('refuses %o', (environment, sentence) => {
  expect(() => loadSettings(environment)).toThrow(sentence);
});

let servers: [PostgresServer, PostgresServer];
let url: string;
const open: Database[] = [];

beforeAll(async () => {
  servers = await Promise.all([startPostgres({ durable: false }), startPostgres({ durable: false })]);
  const [one, two] = servers.map((server) => new URL(server.url));
  if (one === undefined || two === undefined) throw new Error('Two servers were expected.');
  // Both have the same password, as the servers of one cluster.
  await ask(servers[1], `ALTER ROLE CURRENT_USER PASSWORD '${decodeURIComponent(one.password)}'`);
  two.password = one.password;
  servers[1] = { ...servers[1], url: two.href };
  url = `postgresql://${one.username}:${one.password}@${one.host},${two.host}${one.pathname}?target_session_attrs=read-write`;
});

afterAll(async () => {
  for (const database of open) await database.close();
  await Promise.all(servers.map((server) => server.stop()));
});

async function ask(server: PostgresServer, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Makes a server refuse writes in all sessions, as a server that has lost its lease does, or accept them again. */
const setReadOnly = (server: PostgresServer, value: 'on' | 'off') =>
  ask(server, `ALTER SYSTEM SET default_transaction_read_only = ${value}`, 'SELECT pg_reload_conf()');

const portOf = async ({ pool }: Database) =>
  Number((await pool.query<{ port: string }>("SELECT current_setting('port') AS port")).rows[0]?.port);

test('with several hosts, each connection leads to the one that accepts writes, and leaves it when it stops to', async () => {
  const [one, two] = servers;
  await setReadOnly(one, 'on');
  const database = openDatabase({
    url,
    size: 4,
    name: 'writer',
    onIdleError: () => undefined,
    watchesServer: true,
  });
  open.push(database);
  expect(await portOf(database)).toBe(two.port);
  const session = await openLongSession(url, 'writer-session');
  expect((await session.query("SELECT current_setting('port')::int AS port")).rows).toEqual([
    { port: two.port },
  ]);
  await session.end();
  const { current } = database.epochs;

  await setReadOnly(two, 'on');
  await waitUntil(() =>
    portOf(database).then(
      () => false,
      (error: Error) => /read-only/.test(error.message),
    ),
  );
  await setReadOnly(one, 'off');
  await waitUntil(() =>
    portOf(database).then(
      (found) => found === one.port,
      () => false,
    ),
  );
  // What was looked up on the other server may be unknown to this one.
  expect(current.isCurrent).toBe(false);
  await setReadOnly(two, 'off');
});

test('the queue in PostgreSQL uses the host that accepts writes', async () => {
  const [one, two] = servers;
  await setReadOnly(one, 'on');
  const store = { redisUrl: undefined, databaseUrl: `${url}&application_name=queue`, prefix: 'test' };
  const queue = 'memory-flush' as const;
  const received: string[] = [];
  const consumer = openConsumer({
    store,
    queue: { queue, hostId: null },
    concurrency: 1,
    process: async ({ job_id }) => {
      received.push(job_id);
      return true;
    },
    onUnknown: () => undefined,
    onError: () => undefined,
  });
  const producer = await openProducer({ store, onError: () => undefined });
  try {
    const jobId = randomUUID();
    await producer.add([
      { queue, hostId: null, tenantId: 1 as TenantId, jobId, enqueues: 1, background: false },
    ]);
    await waitUntil(() => received.includes(jobId));
  } finally {
    await producer.close();
    await consumer.close();
    await setReadOnly(one, 'off');
  }
  const client = new pg.Client({ connectionString: two.url });
  await client.connect();
  expect((await client.query("SELECT FROM pg_namespace WHERE nspname = 'bullmq'")).rowCount).toBe(1);
  await client.end();
});
