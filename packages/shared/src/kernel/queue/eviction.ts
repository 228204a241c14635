import { Cluster, type Redis } from 'ioredis';

export const evictionRefusal =
  'Redis evicts keys when its memory is full, which would lose jobs: set its maxmemory-policy to noeviction.';

/** Whether one of the servers may evict keys. A server that does not name its policy counts as one that does not. */
export async function readEviction(redis: Redis | Cluster): Promise<boolean> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  // Managed servers often refuse CONFIG.
  const memory = await Promise.all(servers.map((server) => server.info('memory')));
  return memory.map(policyIn).some((policy) => policy !== undefined && policy !== 'noeviction');
}

function policyIn(memory: string): string | undefined {
  return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
}
