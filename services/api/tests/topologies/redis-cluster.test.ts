import { startRedisCluster } from '@continuity/testing';
import { afterAll, test } from 'vitest';
import { startOnRedis } from '../support/failover.ts';

const key = '{cluster-test}';
const redis = await startRedisCluster(key);
const [first = '', ...others] = redis.addresses;
const deployment = await startOnRedis(redis, {
  REDIS_URL: `redis://${first}`,
  REDIS_CLUSTER_NODES: others.join(','),
  QUEUE_PREFIX: 'cluster-test',
});

afterAll(() => deployment.stop());

test('queues in a cluster work, and after the crash of their master its replica has them', async () => {
  await deployment.surviveCrash(key);
}, 90_000);
