import type { Redis } from 'ioredis';

export const evictionRefusal =
  'Redis evicts keys when its memory is full, which would lose jobs: set its maxmemory-policy to noeviction.';

/** Whether the server may evict keys. A server that does not name its policy counts as one that does not. */
export async function readEviction(redis: Redis): Promise<boolean> {
  // Managed servers often refuse CONFIG.
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
  return policy !== undefined && policy !== 'noeviction';
}
