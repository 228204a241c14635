import type { statsOperations } from '@continuity/contract/stats';
import type { Handlers } from '@continuity/shared/kernel';
import { readStats, type StatsDeps } from './read-stats.ts';

export const statsHandlers: Handlers<typeof statsOperations, StatsDeps> = {
  get_stats: async (deps, { tenantId }, { body }) => ({ body: await readStats(deps, tenantId, body) }),
};
