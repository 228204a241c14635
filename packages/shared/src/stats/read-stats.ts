import { type GetStatsRequest, maxListed } from '@continuity/contract/stats';
import {
  type Clock,
  compareCodePoints,
  type Database,
  fromDatabaseError,
  type LongBody,
  type Sql,
} from '@continuity/shared/kernel';
import { resolveSelection } from '../scopes/index.ts';
import { countingOf } from './counter-query.ts';
import { inventoryParts } from './inventory.ts';
import { KeptReading, type ReadOf } from './kept-reading.ts';
import type { KeptReadings } from './kept-readings.ts';
import { readHorizon } from './newer.ts';
import { lastFirst, type Part } from './part.ts';
import { periodUntil } from './period.ts';
import { recallPart } from './recall.ts';
import { ScopeBlocks } from './scope-blocks.ts';
import { usagePart } from './usage.ts';
import { type Frame, writeAnswer, writeFrame } from './write-answer.ts';

/** What statistics are read with. */
export interface StatsReading {
  database: Pick<Database, 'snapshot'>;
  clock: Clock;
  /** Whether tokens of recall are estimated. */
  isEstimating: boolean;
  /** Left out, all is read anew each time. */
  kept?: KeptReadings;
}

/** Fewer Scopes are read anew in less time than what has changed in them is found. */
const leastKept = 64;

/** Of more Scopes, those that are not listed are added up by the server: the counters of each would take much memory. */
const mostKept = 2 * maxListed;

/**
 * A `ScopedStats` as JSON (spec 20 §9), of one moment. Throws 404 `scope_not_found` with the first unknown id of the
 * selection, and 422 for one that is too large. Two round trips, however many Scopes it selects; what they read grows with the
 * Scopes and the days, and with nothing that the Scopes hold. The answer of many Scopes is kept, and only what has changed since
 * is read again.
 */
export async function readStats(
  { database, clock, isEstimating, kept }: StatsReading,
  tenantId: number,
  { selection, period: preset }: GetStatsRequest,
): Promise<LongBody> {
  const asOf = clock.now();
  const period = periodUntil(asOf, preset);
  const asked = JSON.stringify([tenantId, selection, period.shape, isEstimating]);
  // Before this snapshot, so that it was read on an earlier one.
  const before = kept?.get(asked);
  const era = kept?.era;
  const parts = [...inventoryParts, usagePart(period), recallPart(period, isEstimating)];
  const reading = database.snapshot(async (sql) => {
    const [selected, newer] = await Promise.all([
      resolveSelection(sql, tenantId, selection),
      before?.newer(sql),
    ]);
    const scopes = selected.sort((left, right) => compareCodePoints(left.scopeId, right.scopeId));
    const scopeKeys = scopes.map(({ scopeKey }) => scopeKey);
    if (kept === undefined || scopes.length < leastKept || scopes.length > mostKept) {
      const counting = countingOf(tenantId, scopeKeys.slice(0, maxListed), scopeKeys.slice(maxListed));
      const reading = lastFirst(parts, (part) => part(sql, counting));
      return writeAnswer(writeFrame(selection, scopes), asOf, await reading);
    }
    const startDate = period.shape.start_date;
    const isKnown = before?.isOf(scopeKeys) === true && newer !== undefined;
    return isKnown
      ? await before.again(sql, newer)
      : await readToKeep(sql, { tenantId, scopeKeys, startDate }, parts, () => writeFrame(selection, scopes));
  });
  const read = await reading.catch((error: unknown) => {
    if (fromDatabaseError(error) !== undefined) kept?.clear();
    throw error;
  });
  if (!(read instanceof KeptReading)) return read;
  // Only now is it known that all of it was read on one snapshot.
  if (kept?.era === era) kept?.put(asked, before, read);
  return read.answer(asOf);
}

/** Reads the counters of each Scope by itself, also of those that are not told. */
async function readToKeep(
  sql: Sql,
  of: ReadOf,
  parts: readonly Part[],
  frameOf: () => Frame,
): Promise<KeptReading> {
  const counting = countingOf(of.tenantId, of.scopeKeys, []);
  const reading = Promise.all([lastFirst(parts, (part) => part(sql, counting)), readHorizon(sql)]);
  const frame = frameOf();
  const [read, horizon] = await reading;
  const scopes = await ScopeBlocks.of(frame, read);
  return KeptReading.of(of, frame.opening, { horizon, parts: read.map((part) => part.keep()), scopes });
}
