import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { redisFor, testBackend } from '../../src/index.ts';

test('the project names the store of its queue, and only the Redis project provides Redis', async () => {
  expect(testBackend()).toBe(process.env['TEST_QUEUE']);
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
