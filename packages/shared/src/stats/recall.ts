import { type Sql, tokenEstimator } from '@continuity/shared/kernel';
import { recallEstimator } from '../context/index.ts';
import { type ByScope, byScope } from './by-scope.ts';
import { type Counting, counterQuery, type Of, readCounters } from './counter-query.ts';
import type { Period } from './period.ts';
import { sumDays } from './sum-days.ts';
import type { Timeline } from './timeline.ts';

/** `day` counts from the first of the period. */
type RecallCounter = [
  Of,
  day: number,
  preparations: number,
  ready: number,
  comparable: number,
  baselineTokens: number,
  recalledTokens: number,
];

const selectRecall = counterQuery('stats_recall', {
  table: 'recall_days',
  where: 'day BETWEEN $4::date AND $5::date AND estimator = $6',
  numbers: ['day - $4::date'],
  figures: [
    'preparations',
    'ready_preparations',
    'comparable_preparations',
    'baseline_tokens',
    'recalled_tokens',
  ],
});

/** What preparations recalled in a period, by the estimator that is active (spec 20 T7). */
export async function readRecall(
  sql: Sql,
  counting: Counting,
  period: Period,
  isEstimating: boolean,
): Promise<ByScope<Timeline>> {
  const { start_date, end_date } = period.shape;
  const more = [start_date, end_date, recallEstimator(isEstimating)];
  const counters = await readCounters<RecallCounter>(sql, selectRecall, counting, more);
  const estimator = JSON.stringify(isEstimating ? tokenEstimator : null);
  return await byScope(counters, () =>
    sumDays<RecallCounter, Recalled>(period, {
      open: () => new Recalled(),
      head: (all) => `"estimator":${estimator},"totals":{${all}}`,
      day: dayOf,
    }),
  );
}

/** A day without preparations. */
export function quietRecall(date: string): string {
  return dayOf(date, new Recalled());
}

function dayOf(date: string, recalled: Recalled): string {
  return `{"date":"${date}",${recalled}}`;
}

/** The figures of a span of time. */
class Recalled {
  #preparations = 0;
  #ready = 0;
  #comparable = 0;
  #baseline = 0;
  #recalled = 0;

  add(counter: RecallCounter): void {
    this.#preparations += counter[2];
    this.#ready += counter[3];
    this.#comparable += counter[4];
    this.#baseline += counter[5];
    this.#recalled += counter[6];
  }

  /** As members of a JSON object. */
  toString(): string {
    const prepared = `"preparations":${this.#preparations},"ready_preparations":${this.#ready},"comparable_preparations":${this.#comparable}`;
    const tokens = `"baseline_tokens":${this.#baseline},"recalled_tokens":${this.#recalled}`;
    return `${prepared},${tokens},"token_reduction":${this.#baseline - this.#recalled}`;
  }
}
