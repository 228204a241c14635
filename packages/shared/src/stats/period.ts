import type { PeriodShape, Preset } from '@continuity/contract/stats';
import { utcDate } from '@continuity/shared/kernel';

const days: Record<Preset, number> = { today: 1, '7d': 7, '30d': 30 };

const msOfDay = 86_400_000;

/** The days that statistics cover, and how an answer names them. */
export interface Period {
  shape: PeriodShape;
  /** `shape` as JSON. */
  json: string;
  /** UTC dates, ascending. */
  dates: string[];
}

/** The days up to the UTC date of `asOf`, that one included (spec 20 T5). */
export function periodUntil(asOf: Date, preset: Preset): Period {
  const count = days[preset];
  const dates = Array.from({ length: count }, (_, index) =>
    utcDate(new Date(asOf.getTime() - (count - 1 - index) * msOfDay)),
  );
  const [start_date = '', end_date = ''] = [dates[0], dates.at(-1)];
  const shape: PeriodShape = { preset, start_date, end_date, timezone: 'UTC' };
  return { shape, json: JSON.stringify(shape), dates };
}
