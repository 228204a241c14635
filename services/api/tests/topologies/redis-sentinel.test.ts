import { startRedisSentinels } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { startSecondGateway, startService } from '../support/service.ts';
import { takeTurn, takeTurnOnceBack } from '../support/turn.ts';

const password = 'p@ss/word';
const redis = await startRedisSentinels('mymaster', { password });
const service = await startService({
  workers: true,
  environment: {
    REDIS_URL: `redis://:${encodeURIComponent(password)}@mymaster`,
    REDIS_SENTINELS: redis.addresses.join(','),
    JOB_WAIT_MS: '5000',
  },
});
const second = await startSecondGateway(service);

afterAll(async () => {
  await second.stop();
  await service.stop();
  await redis.stop();
});

test('Sentinels name the master, and after its crash every gateway and worker follows to the promoted one', async () => {
  await takeTurn(service);
  await takeTurn(second);
  const killed = await redis.killMaster('');
  await takeTurnOnceBack(service);
  await takeTurnOnceBack(second);
  expect(await redis.masterOf('')).not.toBe(killed);
}, 90_000);
