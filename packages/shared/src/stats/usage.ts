import { compareCodePoints } from '@continuity/shared/kernel';
import { counterQuery } from './counter-query.ts';
import type { Of } from './counters.ts';
import { DaySums, type Figures } from './day-sums.ts';
import { type FigureWriter, figureWriter, marks, openingsOf } from './members.ts';
import { type Part, partOfQuery } from './part.ts';
import type { Period } from './period.ts';
import type { TextStore } from './text-store.ts';

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

/** The calls of models in a period (spec 20 T6): the member `usage`. */
export function usagePart(period: Period): Part {
  const days = [period.shape.start_date, period.shape.end_date];
  const opening = Buffer.from(`,"usage":{"period":${period.json},"totals":{`);
  const section = {
    open: () => new PurposeUses(),
    head: (out: TextStore, all: PurposeUses) => {
      out.bytes(opening);
      all.writeBoth(out);
      out.bytes(totalsEnd);
      all.writeByPurpose(out);
    },
  };
  return partOfQuery<UseCounter>(
    selectUsage,
    () => new DaySums<UseCounter, PurposeUses>(period, section),
    days,
  );
}

const totalsEnd = Buffer.from('},');
const openingOf = openingsOf('purpose');
const byPurposeKey = Buffer.from('"by_purpose":[');

/** Calls of a span of time, by what they were for. */
class PurposeUses implements Figures<UseCounter> {
  readonly #all = new Uses();
  /** Of those that have ever come, ascending; what has no calls now is not told. */
  #byPurpose: { purpose: string; opening: Buffer; uses: Uses }[] = [];

  add(counter: UseCounter): void {
    this.#usesOf(counter[2]).add(counter);
    this.#all.add(counter);
  }

  write(out: TextStore): void {
    this.writeBoth(out);
    out.bytes(marks.comma);
    this.writeByPurpose(out);
  }

  clear(): void {
    this.#all.clear();
    for (const { uses } of this.#byPurpose) uses.clear();
  }

  /** The members `generation` and `embedding`. */
  writeBoth(out: TextStore): void {
    this.#all.write(out);
  }

  /** The member `by_purpose`: ascending, those with calls. */
  writeByPurpose(out: TextStore): void {
    out.bytes(byPurposeKey);
    let isFirst = true;
    for (const { opening, uses } of this.#byPurpose) {
      if (uses.isEmpty) continue;
      if (!isFirst) out.bytes(marks.comma);
      isFirst = false;
      out.bytes(opening);
      uses.write(out);
      out.bytes(marks.end);
    }
    out.bytes(marks.endList);
  }

  #usesOf(purpose: string): Uses {
    const known = this.#byPurpose.find((one) => one.purpose === purpose);
    if (known !== undefined) return known.uses;
    const uses = new Uses();
    this.#byPurpose.push({ purpose, opening: openingOf(purpose), uses });
    this.#byPurpose.sort((left, right) => compareCodePoints(left.purpose, right.purpose));
    return uses;
  }
}

/** How a `ModelUse` is written as a member. */
interface UseForm {
  write: FigureWriter;
  /** What most are. */
  none: Buffer;
}

function formOf(key: string): UseForm {
  return {
    write: figureWriter(`${key}:{`, ['requests', 'input_tokens', 'output_tokens'], '}'),
    none: Buffer.from(`${key}:{"requests":0,"input_tokens":0,"output_tokens":0}`),
  };
}

const generationForm = formOf('"generation"');
const embeddingForm = formOf(',"embedding"');

/** Calls by their operation. */
class Uses {
  readonly #generation = new Use();
  readonly #embedding = new Use();
  isEmpty = true;

  add(counter: UseCounter): void {
    const use = counter[3] === 'generation' ? this.#generation : this.#embedding;
    use.add(counter);
    this.isEmpty = false;
  }

  write(out: TextStore): void {
    this.#generation.write(out, generationForm);
    this.#embedding.write(out, embeddingForm);
  }

  clear(): void {
    this.#generation.clear();
    this.#embedding.clear();
    this.isEmpty = true;
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

  write(out: TextStore, { write, none }: UseForm): void {
    if (this.#requests === 0) out.bytes(none);
    else write(out, this.#requests, this.#inputTokens, this.#outputTokens);
  }

  clear(): void {
    this.#requests = 0;
    this.#inputTokens = 0;
    this.#outputTokens = 0;
  }
}

function plus(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}
