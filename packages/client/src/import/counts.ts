import { appendFileSync, writeFileSync } from 'node:fs';
import type { LeftOutReason } from './items.ts';

export type Outcome = 'added' | 'already' | 'left_out' | 'refused';

/** What became of one item: a line of the report. */
export interface Result {
  path: string;
  line: number | null;
  source_id: string | null;
  scope_id: string | null;
  position: number | null;
  outcome: Outcome;
  /** Why it was left out or refused; null for others. */
  reason: string | null;
}

/** Counts of an import, and its report. */
export class Counts {
  added = 0;
  already = 0;
  refused = 0;
  /** Facts among the added ones. */
  entries = 0;
  /** Estimated tokens of the texts, stored before or not. */
  tokens = 0;
  readonly leftOut = new Map<LeftOutReason, number>();
  readonly scopes = new Map<string, { added: number; already: number }>();
  /** Why items were refused, with the first item. */
  readonly refusals = new Map<string, string>();
  readonly #report: string | undefined;
  #lines: string[] = [];

  /** @param report path of a file that gets a line for each item */
  constructor(report: string | undefined) {
    this.#report = report;
    if (report !== undefined) writeFileSync(report, '');
  }

  add(result: Result): void {
    const { outcome, reason, scope_id, path, line } = result;
    if (outcome === 'left_out') {
      const key = reason as LeftOutReason;
      this.leftOut.set(key, (this.leftOut.get(key) ?? 0) + 1);
    } else this[outcome] += 1;
    if (outcome === 'refused' && reason !== null && !this.refusals.has(reason)) {
      this.refusals.set(reason, line === null ? path : `${path}:${line}`);
    }
    if (scope_id !== null && (outcome === 'added' || outcome === 'already')) {
      const counted = this.scopes.get(scope_id) ?? { added: 0, already: 0 };
      counted[outcome] += 1;
      this.scopes.set(scope_id, counted);
    }
    if (this.#report === undefined) return;
    this.#lines.push(`${JSON.stringify(result)}\n`);
    if (this.#lines.length >= 500) this.flush();
  }

  /** Counts a file that cannot be read, as one line. */
  addUnreadable(path: string): void {
    const nothing = { line: null, source_id: null, scope_id: null, position: null };
    this.add({ path, ...nothing, outcome: 'left_out', reason: 'bad_line' });
  }

  /** Writes what is left of the report. */
  flush(): void {
    if (this.#report !== undefined && this.#lines.length > 0)
      appendFileSync(this.#report, this.#lines.join(''));
    this.#lines = [];
  }

  get leftOutTotal(): number {
    return [...this.leftOut.values()].reduce((sum, count) => sum + count, 0);
  }

  toJson(): Record<string, unknown> {
    const { added, already, refused, entries } = this;
    return {
      added,
      already,
      refused,
      entries,
      left_out: Object.fromEntries(this.leftOut),
      scopes: Object.fromEntries(this.scopes),
    };
  }
}

/** Tokens of a text by the estimate of the service (spec 20 P13): an ASCII character weighs 1, any other 4, and 4 are a token. */
export function estimateTokens(text: string): number {
  let weight = 0;
  for (const character of text) weight += (character.codePointAt(0) ?? 0) < 0x80 ? 1 : 4;
  return Math.ceil(weight / 4);
}
