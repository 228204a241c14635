import type { statsOperations } from '@continuity/contract/stats';
import { TenantLimit } from '@continuity/kernel/fairness';
import { type Handlers, type JsonAnswer, longAnswer } from '@continuity/shared/handlers';
import type { CoalescedReads } from './coalesced-reads.ts';
import { type ReadStatsDeps, readStats } from './read-stats.ts';

/** Dependencies of the operations of statistics. */
export interface StatsDeps extends ReadStatsDeps {
  /** Equal requests at the same time are usual: several people have the same dashboard open. */
  statsReads: CoalescedReads<JsonAnswer>;
}

/** Statistics of 1,000 Scopes take 60 MB while they are computed. */
const limit = new TenantLimit(2);

export const statsHandlers: Handlers<typeof statsOperations, StatsDeps> = {
  get_stats: (deps, { tenantId }, { body }) =>
    deps.statsReads.read(JSON.stringify([tenantId, body]), () =>
      limit.run(tenantId, async () => longAnswer(await readStats(deps, tenantId, body))),
    ),
};
