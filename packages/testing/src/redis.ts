import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { QueueBackend } from './provided.ts';

export type { QueueBackend } from './provided.ts';

/**
 * Where the project under test keeps its queue. Acceptance tests run once on each; everything else only on `redis`.
 * The same word is in the environment variable TEST_QUEUE.
 */
export const testBackend = (): QueueBackend => inject('queueBackend');

/** The run's Redis and a key prefix that nothing else uses. Throws where the project has no Redis. */
export function redisFor(): { url: string; prefix: string } {
  if (testBackend() === 'postgres')
    throw new Error('This project keeps its queue in PostgreSQL and has no Redis.');
  const { redisUrl, run } = inject('harness');
  return { url: redisUrl, prefix: `${run}-${randomBytes(4).toString('hex')}` };
}
