import { type Clock, compareCodePoints, type Database } from '@continuity/shared/kernel';
import { resolveSelection } from '../scopes/index.ts';
import type { Blocks } from './blocks.ts';
import type { GetStatsRequest } from './contract.ts';
import { countingOf } from './counter-query.ts';
import { readInventory } from './inventory.ts';
import { periodUntil } from './period.ts';
import { readRecall } from './recall.ts';
import { maxListed } from './shapes.ts';
import { readUsage } from './usage.ts';
import { writeAnswer, writeFrame } from './write-answer.ts';

/** What statistics are read with. */
export interface StatsReading {
  database: Pick<Database, 'snapshot'>;
  clock: Clock;
  /** Whether tokens of recall are estimated. */
  isEstimating: boolean;
}

/**
 * A `ScopedStats` as JSON (spec 20 §9), of one moment. Throws 404 `scope_not_found` with the first unknown id of the
 * selection, and 422 for one that is too large. Two round trips, however many Scopes it selects; what they read grows with the
 * Scopes and the days, and with nothing that the Scopes hold.
 */
export function readStats(
  { database, clock, isEstimating }: StatsReading,
  tenantId: number,
  { selection, period: preset }: GetStatsRequest,
): Promise<Blocks> {
  const asOf = clock.now();
  const period = periodUntil(asOf, preset);
  return database.snapshot(async (sql) => {
    const selected = await resolveSelection(sql, tenantId, selection);
    const scopes = selected.sort((left, right) => compareCodePoints(left.scopeId, right.scopeId));
    const listed = scopes.slice(0, maxListed);
    const keys = scopes.map(({ scopeKey }) => scopeKey);
    const counting = countingOf(tenantId, keys.slice(0, maxListed), keys.slice(maxListed));
    // Sent together; each is put into words while the server still works on the next. So what has most words comes first.
    const reading = Promise.all([
      readUsage(sql, counting, period),
      readRecall(sql, counting, period, isEstimating),
      readInventory(sql, counting),
    ]);
    const frame = writeFrame({ selection, scopes, listed, asOf });
    const [usage, recall, inventory] = await reading;
    return writeAnswer(frame, [...inventory, usage, recall]);
  });
}
