import type { ScopedStats, statsOperations } from '@continuity/contract/stats';
import type { CoalescedReads, Handlers } from '@continuity/shared/kernel';
import { type ReadStatsDeps, readStats } from './read-stats.ts';

/** Dependencies of the operations of statistics. */
export interface StatsDeps extends ReadStatsDeps {
  /** Equal requests at the same time are usual: several people have the same dashboard open. */
  statsReads: CoalescedReads<ScopedStats>;
}

export const statsHandlers: Handlers<typeof statsOperations, StatsDeps> = {
  get_stats: async (deps, { tenantId }, { body }) => ({
    body: await deps.statsReads.read(JSON.stringify([tenantId, body]), () => readStats(deps, tenantId, body)),
  }),
};
