import { hasRedis, startRedisSentinels } from '@continuity/testing';
import { afterAll, beforeAll, test } from 'vitest';
import { type FailoverDeployment, startOnRedis } from '../support/failover.ts';

const password = 'p@ss/word';
let deployment: FailoverDeployment | undefined;

beforeAll(async () => {
  const redis = await startRedisSentinels('mymaster', { password });
  deployment = await startOnRedis(redis, {
    REDIS_URL: `redis://:${encodeURIComponent(password)}@mymaster`,
    REDIS_SENTINELS: redis.addresses.join(','),
  });
});

afterAll(() => deployment?.stop());

test.skipIf(!hasRedis())(
  'Sentinels name the master, and after its crash every gateway and worker follows to the promoted one',
  async () => {
    await deployment?.surviveCrash('');
  },
);
