import {
  type Clock,
  type Database,
  forgivingWrite,
  type Logger,
  statement,
  utcDate,
} from '@continuity/shared/kernel';
import { addUpEvidence } from './add-up-evidence.ts';
import type { Origin } from './candidate.ts';
import { addFoundRecall, itemParameters } from './find-recall.ts';
import { addToDay, recallEstimator } from './recall-day.ts';

/** A preparation that is counted. */
export interface Recall {
  tenantId: number;
  scopeKey: number;
  /** What is in the context; nothing where it is empty. */
  items: Origin[];
  /** Estimated tokens of the context. */
  recalledTokens: number;
}

/** Where a preparation is counted. */
export interface RecallLedger {
  database: Pick<Database, 'sql'>;
  logger: Logger;
  clock: Clock;
  /** Whether tokens are estimated. */
  estimates: boolean;
}

/** Where the evidence of all items is known: counters alone. */
const addKnownRecall = statement(
  'add_known_recall',
  addToDay(`
     SELECT $6::boolean AS is_ready, $7::boolean AS is_comparable, $8::bigint AS baseline, ${forgivingWrite}`),
);

/**
 * Adds a preparation to the counters of its Scope and day (spec 20 P12). Never rejects: a failure is logged, and the answer is
 * the same. One round trip.
 */
export async function countRecall(
  { database, logger, clock, estimates }: RecallLedger,
  { tenantId, scopeKey, items, recalledTokens }: Recall,
): Promise<void> {
  try {
    const day = [tenantId, scopeKey, utcDate(clock.now()), recallEstimator(estimates), recalledTokens];
    const evidence = addUpEvidence(items);
    if (evidence === undefined) await database.sql.rows(addFoundRecall, [...day, ...itemParameters(items)]);
    else {
      const { isComparable, baseline } = evidence;
      await database.sql.rows(addKnownRecall, [...day, items.length > 0, isComparable, baseline]);
    }
  } catch (error) {
    logger.warn({ err: error, tenant_id: tenantId }, 'a preparation of context was not counted');
  }
}
