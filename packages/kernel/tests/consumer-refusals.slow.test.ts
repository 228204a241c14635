import { randomUUID } from 'node:crypto';
import {
  createDatabase,
  hasRedis,
  startRedis,
  startRedisCluster,
  startTcpProxy,
  waitUntil,
} from '@continuity/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { TenantId } from '../src/database/columns.ts';
import { openConsumer, openProducer, type QueueEntry, type QueueStore } from '../src/queue/index.ts';

const queue = 'memory-flush';
const entry = (): QueueEntry => ({
  queue,
  hostId: null,
  tenantId: 1 as TenantId,
  jobId: randomUUID(),
  enqueues: 1,
  background: false,
});

/** A consumer of one queue, with the entries that it has received and the errors of its store. */
function consume(store: QueueStore) {
  const received: string[] = [];
  const errors: unknown[] = [];
  const consumer = openConsumer({
    store,
    queue: { queue, hostId: null },
    concurrency: 2,
    process: async ({ job_id }) => {
      received.push(job_id);
      return true;
    },
    onUnknown: () => undefined,
    onError: (error) => errors.push(error),
  });
  return { consumer, received, errors };
}

async function addAndReceive(store: QueueStore, received: string[]): Promise<void> {
  const producer = await openProducer({ store, onError: () => undefined });
  const added = entry();
  await producer.add([added]);
  await waitUntil(() => received.includes(added.jobId));
  await producer.close();
}

/** Waits for several failures, and returns the time that they took, in ms. Attempts without a pause take a few milliseconds. */
async function timeOfFailures(errors: unknown[]): Promise<number> {
  const begun = performance.now();
  const before = errors.length;
  await waitUntil(() => errors.length >= before + 3);
  return performance.now() - begun;
}

test.skipIf(!hasRedis())(
  'a consumer backs off from a Redis that becomes a node of a cluster after the start, and goes on once it is none',
  async () => {
    const redis = await startRedis({ persistent: false });
    const cluster = await startRedisCluster('{elsewhere}');
    const proxy = await startTcpProxy(redis.url);
    // A prefix whose slot the first node does not have.
    const store = { redisUrl: proxy.url, databaseUrl: '', prefix: '{elsewhere}' };
    const { consumer, received, errors } = consume(store);
    try {
      await addAndReceive(store, received);
      const owner = await cluster.masterOf('{elsewhere}');
      const node = cluster.addresses.find((address) => address !== owner);
      proxy.redirect(`redis://${node}`);
      proxy.reset();
      await waitUntil(() => errors.some((error) => String(error).includes('MOVED')));
      expect(await timeOfFailures(errors)).toBeGreaterThan(500);
      proxy.redirect(redis.url);
      proxy.reset();
      await addAndReceive(store, received);
    } finally {
      await consumer.close();
      await proxy.stop();
      await cluster.stop();
      await redis.stop();
    }
  },
);

test('a consumer backs off from a PostgreSQL that refuses its statements, and goes on once it accepts them', async () => {
  const database = await createDatabase();
  const store = { redisUrl: undefined, databaseUrl: database.url, prefix: 'test' };
  const { consumer, received, errors } = consume(store);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await addAndReceive(store, received);
    await client.query('ALTER SCHEMA bullmq RENAME TO elsewhere');
    await waitUntil(() => errors.length > 0);
    expect(await timeOfFailures(errors)).toBeGreaterThan(500);
    await client.query('ALTER SCHEMA elsewhere RENAME TO bullmq');
    await addAndReceive(store, received);
  } finally {
    await client.end();
    await consumer.close();
    await database.drop();
  }
});
