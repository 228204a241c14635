import {
  type GetStatsRequest,
  maxListed,
  type ScopedStats,
  type statsOperations,
} from '@continuity/contract/stats';
import type { Settings } from '@continuity/kernel/config';
import type { Database, TenantId } from '@continuity/kernel/database';
import { runInSlices, type Steps, TenantLimit } from '@continuity/kernel/fairness';
import type { Clock } from '@continuity/kernel/process';
import { compareCodePoints } from '@continuity/kernel/text';
import { type Handlers, type JsonAnswer, longAnswer } from '@continuity/shared/handlers';
import { resolveSelection } from '../scopes/index.ts';
import type { CoalescedReads } from './coalesced-reads.ts';
import { readInventory } from './inventory.ts';
import { periodUntil } from './period.ts';
import { readRecall } from './recall.ts';
import { readUsage } from './usage.ts';

/** Dependencies of `readStats`. */
export interface ReadStatsDeps {
  database: Pick<Database, 'snapshot'>;
  clock: Clock;
  settings: Pick<Settings, 'RECALL_ESTIMATION'>;
}

/**
 * Reads the statistics of a selection on one snapshot, in two round trips (spec 20 §9). The cost grows with the number of
 * Scopes and days, and not with what the Scopes hold. Throws 404 `scope_not_found` with the first unknown id, and 422 for a
 * selection of too many Scopes or kinds of entries.
 */
export async function readStats(
  { database, clock, settings }: ReadStatsDeps,
  tenantId: TenantId,
  { selection, period: preset, by_scope: isByScope }: GetStatsRequest,
): Promise<ScopedStats> {
  const asOf = clock.now();
  const period = periodUntil(asOf, preset);
  const { scopeIds, inventory, usage, recall } = await database.snapshot(async (sql) => {
    const selected = await resolveSelection(sql, tenantId, selection);
    selected.sort((left, right) => compareCodePoints(left.scopeId, right.scopeId));
    const scopes = { tenantId, scopeKeys: selected.map(({ scopeKey }) => scopeKey) };
    const [inventory, usage, recall] = await Promise.all([
      readInventory(sql, scopes),
      readUsage(sql, scopes, period),
      readRecall(sql, scopes, period, settings.RECALL_ESTIMATION),
    ]);
    const scopeIds = isByScope ? selected.map(({ scopeId }) => scopeId) : [];
    return { scopeIds, inventory, usage, recall };
  });
  const sectionsOf = (position: number | null) => ({
    inventory: inventory(position),
    usage: usage(position),
    recall: recall(position),
  });
  const summarize = function* (): Steps<ScopedStats> {
    const total = sectionsOf(null);
    const by_scope: ScopedStats['by_scope'] = [];
    for (const scope_id of scopeIds.slice(0, maxListed)) {
      by_scope.push({ scope_id, ...sectionsOf(by_scope.length + 1) });
      yield;
    }
    return { selection, scope_ids: scopeIds, as_of: asOf.toISOString(), ...total, by_scope };
  };
  return runInSlices(summarize());
}

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
