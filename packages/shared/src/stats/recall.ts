import { tokenEstimator } from '@continuity/shared/kernel';
import { recallEstimator } from '../context/index.ts';
import { counterQuery } from './counter-query.ts';
import type { Of } from './counters.ts';
import { DaySums, type Figures } from './day-sums.ts';
import { figureWriter, marks } from './members.ts';
import { type Part, partOfQuery } from './part.ts';
import type { Period } from './period.ts';
import type { TextStore } from './text-store.ts';

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

/** What preparations recalled in a period, by the estimator that is active (spec 20 T7): the member `recall`. */
export function recallPart(period: Period, isEstimating: boolean): Part {
  const { start_date, end_date } = period.shape;
  const more = [start_date, end_date, recallEstimator(isEstimating)];
  const estimator = JSON.stringify(isEstimating ? tokenEstimator : null);
  const opening = Buffer.from(`,"recall":{"period":${period.json},"estimator":${estimator},"totals":{`);
  const section = {
    open: () => new Recalled(),
    head: (out: TextStore, all: Recalled) => {
      out.bytes(opening);
      all.write(out);
      out.bytes(marks.end);
    },
  };
  return partOfQuery<RecallCounter>(
    selectRecall,
    () => new DaySums<RecallCounter, Recalled>(period, section),
    more,
  );
}

const writeRecalled = figureWriter('', [
  'preparations',
  'ready_preparations',
  'comparable_preparations',
  'baseline_tokens',
  'recalled_tokens',
  'token_reduction',
]);

/** The figures of a span of time. */
class Recalled implements Figures<RecallCounter> {
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

  write(out: TextStore): void {
    const [baseline, recalled] = [this.#baseline, this.#recalled];
    writeRecalled(
      out,
      this.#preparations,
      this.#ready,
      this.#comparable,
      baseline,
      recalled,
      baseline - recalled,
    );
  }

  clear(): void {
    this.#preparations = 0;
    this.#ready = 0;
    this.#comparable = 0;
    this.#baseline = 0;
    this.#recalled = 0;
  }
}
