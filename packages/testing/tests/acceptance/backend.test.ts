import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { redisFor, testBackend } from '../../src/index.ts';

test('only tests of a queue in Redis get a Redis', async () => {
  if (testBackend() === 'postgres') {
    expect(() => redisFor()).toThrow('no Redis');
    return;
  }
  const { url, prefix } = redisFor();
  expect(redisFor().prefix).not.toBe(prefix);
  const redis = new Redis(url);
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
});
