import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { QueueBackend } from './provided.ts';

export type { QueueBackend } from './provided.ts';

/**
 * Store of the queue in this part of the run. `npm test` has Redis; `npm run test:slow` runs the tests that use the queue once more,
 * with `postgres`.
 */
export const testBackend = (): QueueBackend => inject('queueBackend');

/** False on a machine without Redis. A test that stops a Redis, or asks it, is skipped there: `test.skipIf(!hasRedis())`. */
export const hasRedis = (): boolean => inject('harness').redisUrl !== undefined;

/** Environment of a process whose queue is in the store of this part of the run: that of Redis with a new key prefix, or none. */
export function queueEnvironment(): Record<string, string> {
  if (testBackend() === 'postgres') return {};
  const { url, prefix } = redisFor();
  return { REDIS_URL: url, QUEUE_PREFIX: prefix };
}

/** URL of the run's Redis, and a new key prefix. Throws where the queue is in PostgreSQL. */
export function redisFor(): { url: string; prefix: string } {
  const { redisUrl, run } = inject('harness');
  if (testBackend() === 'postgres' || redisUrl === undefined)
    throw new Error('The queue is in PostgreSQL, and there is no Redis.');
  return { url: redisUrl, prefix: `${run}-${randomBytes(4).toString('hex')}` };
}
