import type { Sum } from './by-scope.ts';
import type { Of } from './counter-query.ts';
import type { Period } from './period.ts';
import type { Timeline } from './timeline.ts';

/** A counter of a day; `day` counts from the first of the period. */
export type DayCounter = [Of, day: number, ...unknown[]];

/** Figures of a span of time. */
export interface Figures<Counter> {
  add(counter: Counter): void;
}

/** How figures become a section of the answer. */
export interface Section<F> {
  /** Figures to which nothing was added. */
  open(): F;
  /** Members that stand before `daily`, after `period`, from the figures of all days. */
  head(all: F): string;
  /** A day as JSON. */
  day(date: string, figures: F): string;
}

/** Adds up counters to the figures of each day and of all. */
export function sumDays<Counter extends DayCounter, F extends Figures<Counter>>(
  { json, dates }: Period,
  section: Section<F>,
): Sum<Counter, Timeline> {
  const all = section.open();
  const byDay = new Map<number, F>();
  return {
    add(counter) {
      const day = byDay.get(counter[1]) ?? section.open();
      byDay.set(counter[1], day);
      day.add(counter);
      all.add(counter);
    },
    end() {
      const days = new Map<number, string>();
      for (const [day, figures] of byDay) days.set(day, section.day(dates[day] ?? '', figures));
      return { head: `{"period":${json},${section.head(all)},"daily":`, days };
    },
  };
}
