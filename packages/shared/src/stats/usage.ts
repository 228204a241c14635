import { compareCodePoints, type Sql } from '@continuity/shared/kernel';
import { type ByScope, byScope } from './by-scope.ts';
import { type Counting, counterQuery, type Of, readCounters } from './counter-query.ts';
import type { Period } from './period.ts';
import { sumDays } from './sum-days.ts';
import type { Timeline } from './timeline.ts';

/** `day` counts from the first of the period. */
type UseCounter = [
  Of,
  day: number,
  purpose: string,
  operation: string,
  requests: number,
  inputTokens: number | null,
  outputTokens: number | null,
];

const selectUsage = counterQuery('stats_usage', {
  table: 'model_usage_days',
  where: 'day BETWEEN $4::date AND $5::date',
  numbers: ['day - $4::date'],
  names: ['purpose', 'operation'],
  figures: ['requests'],
  nullable: ['input_tokens', 'output_tokens'],
});

/** The calls of models in a period (spec 20 T6). */
export async function readUsage(sql: Sql, counting: Counting, period: Period): Promise<ByScope<Timeline>> {
  const { start_date, end_date } = period.shape;
  const counters = await readCounters<UseCounter>(sql, selectUsage, counting, [start_date, end_date]);
  return await byScope(counters, () =>
    sumDays<UseCounter, PurposeUses>(period, {
      open: () => new PurposeUses(),
      head: (all) => `"totals":{${all.both()}},${all.byPurpose()}`,
      day: dayOf,
    }),
  );
}

/** A day without calls. */
export function quietUsage(date: string): string {
  return dayOf(date, new PurposeUses());
}

function dayOf(date: string, use: PurposeUses): string {
  return `{"date":"${date}",${use.both()},${use.byPurpose()}}`;
}

/** Calls of a span of time, by what they were for. */
class PurposeUses {
  readonly #all = new Uses();
  readonly #byPurpose = new Map<string, Uses>();

  add(counter: UseCounter): void {
    const purpose = counter[2];
    const uses = this.#byPurpose.get(purpose) ?? new Uses();
    this.#byPurpose.set(purpose, uses);
    uses.add(counter);
    this.#all.add(counter);
  }

  /** The members `generation` and `embedding`. */
  both(): string {
    return this.#all.both();
  }

  /** The member `by_purpose`: ascending, those with calls. */
  byPurpose(): string {
    const written = [...this.#byPurpose]
      .sort(([left], [right]) => compareCodePoints(left, right))
      .map(([purpose, uses]) => `{"purpose":"${purpose}",${uses.both()}}`);
    return `"by_purpose":[${written.join(',')}]`;
  }
}

/** Calls by their operation. */
class Uses {
  readonly #byOperation = new Map<string, Use>();

  add(counter: UseCounter): void {
    const use = this.#byOperation.get(counter[3]) ?? new Use();
    this.#byOperation.set(counter[3], use);
    use.add(counter);
  }

  both(): string {
    const generation = this.#byOperation.get('generation') ?? noUse;
    const embedding = this.#byOperation.get('embedding') ?? noUse;
    return `"generation":${generation},"embedding":${embedding}`;
  }
}

/** Calls of one kind. A figure that is unknown for one is unknown for all. */
class Use {
  #requests = 0;
  #inputTokens: number | null = 0;
  #outputTokens: number | null = 0;

  add(counter: UseCounter): void {
    this.#requests += counter[4];
    this.#inputTokens = plus(this.#inputTokens, counter[5]);
    this.#outputTokens = plus(this.#outputTokens, counter[6]);
  }

  /** A `ModelUse` as JSON. */
  toString(): string {
    return `{"requests":${this.#requests},"input_tokens":${this.#inputTokens},"output_tokens":${this.#outputTokens}}`;
  }
}

const noUse = String(new Use());

function plus(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}
