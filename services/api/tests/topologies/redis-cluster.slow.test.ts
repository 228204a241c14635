import { hasRedis, startRedisCluster } from '@continuity/testing';
import { afterAll, beforeAll, test } from 'vitest';
import { type FailoverDeployment, startOnRedis } from '../support/failover.ts';

const key = '{cluster-test}';
let deployment: FailoverDeployment | undefined;

beforeAll(async () => {
  const redis = await startRedisCluster(key);
  const [first = '', ...others] = redis.addresses;
  deployment = await startOnRedis(redis, {
    REDIS_URL: `redis://${first}`,
    REDIS_CLUSTER_NODES: others.join(','),
    QUEUE_PREFIX: 'cluster-test',
  });
});

afterAll(() => deployment?.stop());

test.skipIf(!hasRedis())(
  'queues in a cluster work, and after the crash of their master its replica has them',
  async () => {
    await deployment?.surviveCrash(key);
  },
);
