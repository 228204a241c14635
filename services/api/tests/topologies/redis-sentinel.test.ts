import { startRedisSentinels } from '@continuity/testing';
import { afterAll, test } from 'vitest';
import { startOnRedis } from '../support/failover.ts';

const password = 'p@ss/word';
const redis = await startRedisSentinels('mymaster', { password });
const deployment = await startOnRedis(redis, {
  REDIS_URL: `redis://:${encodeURIComponent(password)}@mymaster`,
  REDIS_SENTINELS: redis.addresses.join(','),
});

afterAll(() => deployment.stop());

test('Sentinels name the master, and after its crash every gateway and worker follows to the promoted one', async () => {
  await deployment.surviveCrash('');
}, 90_000);
