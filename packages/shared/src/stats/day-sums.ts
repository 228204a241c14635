import type { Sum } from './by-scope.ts';
import type { Of } from './counters.ts';
import { marks } from './members.ts';
import type { Period } from './period.ts';
import { copyTexts, type Text, TextStore } from './text-store.ts';

const dailyKey = Buffer.from(',"daily":[');
const sectionEnd = Buffer.from(']}');

/** A counter of a day; `day` counts from the first of the period. */
export type DayCounter = [Of, day: number, ...unknown[]];

/** Figures of a span of time. */
export interface Figures<Counter> {
  add(counter: Counter): void;
  /** Writes them as members of a JSON object. */
  write(out: TextStore): void;
  clear(): void;
}

/** How figures become a section of the answer. */
export interface Section<F> {
  /** Figures to which nothing was added. */
  open(): F;
  /** Writes the section up to its days, from the figures of all days. */
  head(out: TextStore, all: F): void;
}

/** A day of the period, with what was added to it. */
interface Day<F> {
  figures: F;
  isQuiet: boolean;
  /** `{"date":…,`, what a day begins with. */
  opening: Buffer;
  /** Where it is among the quiet days. */
  quietFrom: number;
  quietTo: number;
}

/**
 * Adds up counters to the figures of each day and of all, and writes a section that ends with its days. Quiet days are most of
 * what a Scope has: they are written once, and taken from there in stretches.
 */
export class DaySums<Counter extends DayCounter, F extends Figures<Counter>> implements Sum<Counter> {
  readonly #section: Section<F>;
  readonly #all: F;
  readonly #days: Day<F>[];
  /** All days as they are when nothing happened. */
  readonly #quietDays: Buffer;

  constructor({ dates }: Period, section: Section<F>) {
    this.#section = section;
    this.#all = section.open();
    const out = new TextStore();
    const quietDays: Text[] = [];
    let quietTo = 0;
    this.#days = dates.map((date, place) => {
      const figures = section.open();
      const opening = Buffer.from(`${place === 0 ? '' : ','}{"date":"${date}",`);
      writeDay(out, opening, figures);
      const quiet = out.end();
      quietDays.push(quiet);
      const quietFrom = quietTo;
      quietTo += quiet.length;
      return { figures, isQuiet: true, opening, quietFrom, quietTo };
    });
    this.#quietDays = Buffer.alloc(quietTo);
    copyTexts(quietDays, this.#quietDays);
  }

  add(counter: Counter): void {
    this.#all.add(counter);
    const day = this.#days[counter[1]];
    if (day === undefined) return;
    day.figures.add(counter);
    day.isQuiet = false;
  }

  end(out: TextStore): void {
    this.#section.head(out, this.#all);
    this.#all.clear();
    out.bytes(dailyKey);
    let quietFrom: number | null = null;
    for (const day of this.#days) {
      if (day.isQuiet) {
        quietFrom ??= day.quietFrom;
        continue;
      }
      if (quietFrom !== null) out.kept(this.#quietDays, quietFrom, day.quietFrom);
      quietFrom = null;
      writeDay(out, day.opening, day.figures);
      day.figures.clear();
      day.isQuiet = true;
    }
    const last = this.#days.at(-1);
    if (quietFrom !== null && last !== undefined) out.kept(this.#quietDays, quietFrom, last.quietTo);
    out.bytes(sectionEnd);
  }
}

function writeDay<Counter>(out: TextStore, opening: Buffer, figures: Figures<Counter>): void {
  out.bytes(opening);
  figures.write(out);
  out.bytes(marks.end);
}
