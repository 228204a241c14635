import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, test } from 'vitest';
import { hasRedis, startPostgres, startRedis } from '../src/index.ts';

test('PostgreSQL starts again with its committed rows after a stop and after a kill', async () => {
  const server = await startPostgres();
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server.url });
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  await run('CREATE TABLE words (word text)');
  await server.stop();
  await expect(run('SELECT 1')).rejects.toThrow('ECONNREFUSED');
  await server.start();
  await run("INSERT INTO words VALUES ('kept')");
  await server.kill();
  await server.start();
  expect(await run('SELECT word FROM words')).toEqual([{ word: 'kept' }]);
  await server.stop();
});

test.skipIf(!hasRedis())(
  'Redis starts again with its written keys after a stop and after a kill',
  async () => {
    const server = await startRedis();
    const run = async <T>(ask: (redis: Redis) => Promise<T>) => {
      const redis = new Redis(server.url, { lazyConnect: true, retryStrategy: () => null });
      redis.on('error', () => undefined);
      try {
        await redis.connect();
        return await ask(redis);
      } finally {
        redis.disconnect();
      }
    };
    await run((redis) => redis.set('first', 'stopped'));
    await server.stop();
    await expect(run((redis) => redis.ping())).rejects.toThrow();
    await server.start();
    await run((redis) => redis.set('second', 'killed'));
    await server.kill();
    await server.start();
    expect(await run((redis) => redis.mget('first', 'second'))).toEqual(['stopped', 'killed']);
    await server.stop();
  },
);
