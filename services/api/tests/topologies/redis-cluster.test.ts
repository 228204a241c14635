import { startRedisCluster } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { startSecondGateway, startService } from '../support/service.ts';
import { takeTurn, takeTurnOnceBack } from '../support/turn.ts';

const key = '{cluster-test}';
const redis = await startRedisCluster(key);
const [first = '', ...others] = redis.addresses;
const service = await startService({
  workers: true,
  environment: {
    REDIS_URL: `redis://${first}`,
    REDIS_CLUSTER_NODES: others.join(','),
    QUEUE_PREFIX: 'cluster-test',
    JOB_WAIT_MS: '5000',
  },
});
const second = await startSecondGateway(service);

afterAll(async () => {
  await second.stop();
  await service.stop();
  await redis.stop();
});

test('queues in a cluster work, and after the crash of their master its replica has them', async () => {
  await takeTurn(service);
  await takeTurn(second);
  const killed = await redis.killMaster(key);
  await takeTurnOnceBack(service);
  await takeTurnOnceBack(second);
  expect(await redis.masterOf(key)).not.toBe(killed);
}, 90_000);
