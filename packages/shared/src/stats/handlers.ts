import type { statsOperations } from '@continuity/contract/stats';
import type { Handlers } from '@continuity/shared/kernel';
import type { Services } from '../operations/services.ts';
import { readStats } from './read-stats.ts';

export const statsHandlers: Handlers<typeof statsOperations, Services> = {
  get_stats: async ({ database, clock, settings, statsRuns, statsReadings }, { tenantId }, { body }) => {
    const reading = { database, clock, isEstimating: settings.RECALL_ESTIMATION, kept: statsReadings };
    // What is asked by many at once, as a page that all look at, is read once.
    const same = JSON.stringify([tenantId, body]);
    return { body: await statsRuns(same, () => readStats(reading, tenantId, body)) };
  },
};
