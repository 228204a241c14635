import type { PeriodShape, Preset } from '@continuity/contract/stats';
import { utcDate } from '@continuity/kernel/process';

const daysOfPreset: Record<Preset, number> = { today: 1, '7d': 7, '30d': 30 };

const msPerDay = 86_400_000;

/** The UTC days that an answer covers. */
export interface Period {
  shape: PeriodShape;
  /** Every date of the period, ascending. Counters refer to a date by its index in this list. */
  dates: string[];
}

/** Returns the period that ends with the UTC date of `asOf`, that date included (spec 20 T5). */
export function periodUntil(asOf: Date, preset: Preset): Period {
  const count = daysOfPreset[preset];
  const dates = Array.from({ length: count }, (_, index) =>
    utcDate(new Date(asOf.getTime() - (count - 1 - index) * msPerDay)),
  );
  const [start_date = '', end_date = ''] = [dates[0], dates.at(-1)];
  return { shape: { preset, start_date, end_date, timezone: 'UTC' }, dates };
}
