import type { RedisTopologyServers } from '@continuity/testing';
import { expect } from 'vitest';
import { startSecondGateway, startService } from './service.ts';
import { takeTurn, takeTurnOnceBack } from './turn.ts';

export interface FailoverDeployment {
  /** Crashes the master that has `key`, and expects both gateways to work before and after the failover. */
  surviveCrash(key: string): Promise<void>;
  /** Stops the deployment and the servers. */
  stop(): Promise<void>;
}

/** Starts two gateways and workers on several Redis servers. */
export async function startOnRedis(
  redis: RedisTopologyServers,
  environment: Record<string, string>,
): Promise<FailoverDeployment> {
  const service = await startService({ workers: true, environment: { ...environment, JOB_WAIT_MS: '5000' } });
  const second = await startSecondGateway(service);
  return {
    async surviveCrash(key) {
      await takeTurn(service);
      await takeTurn(second);
      const killed = await redis.killMaster(key);
      await takeTurnOnceBack(service);
      await takeTurnOnceBack(second);
      expect(await redis.masterOf(key)).not.toBe(killed);
    },
    async stop() {
      await second.stop();
      await service.stop();
      await redis.stop();
    },
  };
}
