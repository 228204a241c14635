import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { QueueBackend } from './provided.ts';

export type { QueueBackend } from './provided.ts';

/**
 * Store of the queue in the project under test, also in the environment variable TEST_QUEUE. Acceptance tests that use
 * the queue run on both; every other test runs on `redis`.
 */
export const testBackend = (): QueueBackend => inject('queueBackend');

/** URL of the run's Redis, and a new key prefix. Throws in a project without Redis. */
export function redisFor(): { url: string; prefix: string } {
  if (testBackend() === 'postgres') throw new Error('This project has its queue in PostgreSQL and no Redis.');
  const { redisUrl, run } = inject('harness');
  return { url: redisUrl, prefix: `${run}-${randomBytes(4).toString('hex')}` };
}
