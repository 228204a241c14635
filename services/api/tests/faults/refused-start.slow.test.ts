import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import {
  createDatabase,
  hasRedis,
  runProcess,
  startRedis,
  startRedisCluster,
  type TestDatabase,
} from '@continuity/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database.drop());

/** Starts a process that refuses, and returns what it prints besides its log. */
async function refusalOf(program: string, environment: Record<string, string> = {}): Promise<string> {
  await using service = runProcess([program], {
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    ...environment,
  });
  expect(await service.exited).toEqual({ code: 1, signal: null });
  return service.output();
}

test.each([
  ['continuity-api', 'dist/api.mjs', 'PORT'],
  ['continuity-api', 'dist/api.mjs', 'METRICS_PORT'],
  ['continuity-reports', 'dist/reports.mjs', 'WORKER_METRICS_PORT'],
])('%s says in one sentence that the port is in use: %s, %s', async (name, program, setting) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await refusalOf(program, { [setting]: `${port}` })).toBe(
    `${name}: Another program uses port ${port} of 127.0.0.1. Stop it, or set ${setting} to another port.\n`,
  );
  server.close();
});

test('a gateway and a report worker refuse a schema of another release, each with one sentence', async () => {
  await query(
    database.url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ('1', '', '29991231000000_future', now(), 1)`,
  );
  expect(await refusalOf('dist/api.mjs')).toBe(
    'continuity-api: The database has the schema of a newer release, which does not support this one: start processes of the newer release.\n',
  );
  await query(database.url, "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_foundation'");
  expect(await refusalOf('dist/reports.mjs')).toBe(
    'continuity-reports: The database has no schema or that of an older release: migrate it by `node dist/migrate.mjs`, then start again.\n',
  );
  await query(
    database.url,
    "UPDATE _prisma_migrations SET migration_name = '20261120000000_foundation' WHERE id = '1'",
  );
});

test('a gateway and a report worker refuse a database that does not exist, with one sentence', async () => {
  const missing = { DATABASE_URL: `${database.url}_missing` };
  const sentence = 'The database of DATABASE_URL does not exist: create it, or correct its name.\n';
  expect(await refusalOf('dist/api.mjs', missing)).toBe(`continuity-api: ${sentence}`);
  expect(await refusalOf('dist/reports.mjs', missing)).toBe(`continuity-reports: ${sentence}`);
});

test('a migration with a wrong setting ends with 2 and a sentence that names it', async () => {
  await using migration = runProcess(['dist/migrate.mjs'], {
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: 'many',
  });
  expect(await migration.exited).toEqual({ code: 2, signal: null });
  expect(migration.output()).toMatch(/^continuity-migrate: DATABASE_POOL_SIZE is invalid: .+\n$/);
});

test.skipIf(!hasRedis())('a worker refuses a Redis that evicts, with one sentence', async () => {
  const redis = await startRedis({ persistent: false });
  const client = new Redis(redis.url);
  try {
    await client.config('SET', 'maxmemory-policy', 'volatile-lru');
    expect(await refusalOf('dist/workers.mjs', { REDIS_URL: redis.url })).toBe(
      'continuity-workers: Redis evicts keys when its memory is full, which would lose jobs: set its maxmemory-policy to noeviction.\n',
    );
  } finally {
    client.disconnect();
    await redis.stop();
  }
});

test.skipIf(!hasRedis())('every process refuses a node of a cluster behind a plain REDIS_URL', async () => {
  const redis = await startRedisCluster('{refused}');
  const current = await createDatabase();
  try {
    for (const [program, name] of [
      ['dist/workers.mjs', 'continuity-workers'],
      ['dist/reports.mjs', 'continuity-reports'],
      ['dist/api.mjs', 'continuity-api'],
    ] as const) {
      await using service = runProcess([program], {
        DATABASE_URL: current.url,
        REDIS_URL: `redis://${redis.addresses[0]}`,
        PORT: '0',
        LOG_LEVEL: 'silent',
      });
      expect(await service.exited).toEqual({ code: 2, signal: null });
      expect(service.output()).toBe(
        `${name}: REDIS_URL is the address of a node of a Redis Cluster: set REDIS_CLUSTER_NODES to one or more of its nodes as host:port.\n`,
      );
    }
  } finally {
    await redis.stop();
    await current.drop();
  }
});

test.skipIf(!hasRedis())(
  'a Redis that a gateway reaches only later, and that evicts, is a misconfigured queue',
  async () => {
    const redis = await startRedis({ persistent: false });
    const service = await startService({ environment: { REDIS_URL: redis.url } });
    const client = new Redis(redis.url);
    const queueCheck = async () => (await service.call('get_readiness')).body.checks['queue'];
    try {
      expect(await queueCheck()).toBe('ready');
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await expect.poll(queueCheck).toBe('misconfigured');
      await client.config('SET', 'maxmemory-policy', 'noeviction');
      await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await expect.poll(queueCheck).toBe('ready');
    } finally {
      client.disconnect();
      await service.stop();
      await redis.stop();
    }
  },
);
