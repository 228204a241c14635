import { openConsumer, openProducer, type QueueEntry, type QueueProducer } from '@continuity/kernel/queue';
import { newId } from '@continuity/kernel/text';
import { hasRedis, testBackend, waitUntil } from '@continuity/testing';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Deployment, gate, openDeployment } from './deployment.ts';

let deployment: Deployment;
let producer: QueueProducer;

async function open(backend = testBackend()): Promise<void> {
  deployment = await openDeployment(backend);
  const onError = (error: unknown) => {
    throw error;
  };
  producer = await openProducer({ store: deployment.store, onError });
}

function entries(count: number): QueueEntry[] {
  const [tenantId] = deployment.tenants;
  const one = { queue: 'memory-flush', hostId: null, tenantId, enqueues: 1, background: false } as const;
  return Array.from({ length: count }, newId).map((jobId) => ({ ...one, jobId }));
}

afterEach(async () => {
  await producer.close();
  await deployment.close();
});

describe(`with the queue in ${testBackend()}`, () => {
  beforeEach(() => open());

  it('a look-up tells waiting entries from those that a consumer has and those that are gone', async () => {
    const [taken, waiting, gone] = entries(3) as [QueueEntry, QueueEntry, QueueEntry];
    const { opened, open: end } = gate();
    const received: string[] = [];
    const consumer = openConsumer({
      store: deployment.store,
      queue: { queue: 'memory-flush', hostId: null },
      concurrency: 1,
      process: async ({ job_id }) => {
        received.push(job_id);
        await opened;
        return true;
      },
      onUnknown: () => {},
      onError: () => {},
    });
    await producer.add([taken]);
    await waitUntil(() => received.length === 1);
    await producer.add([waiting]);
    expect(await producer.lookUp([taken, waiting, gone])).toEqual({ missing: [gone], taken: [taken] });
    end();
    await waitUntil(async () => (await producer.lookUp([taken, waiting])).missing.length === 2);
    await consumer.close();
  });
});

/** Such a search reads the whole queue, so that the look-ups of a long queue would stop Redis for seconds. */
it.skipIf(!hasRedis())('a look-up of waiting entries never searches the queue in Redis', async () => {
  await open('redis');
  const flood = entries(1_000);
  await producer.add(flood);
  expect(await producer.lookUp(flood)).toEqual({ missing: [], taken: [] });
  const redis = new Redis(deployment.store.redisUrl ?? '');
  const commands = await redis.info('commandstats');
  redis.disconnect();
  expect(commands).toContain('cmdstat_hgetall');
  expect(commands).not.toMatch(/cmdstat_l(pos|range)/);
});
