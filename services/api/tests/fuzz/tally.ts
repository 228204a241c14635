import type { OperationSpec } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import type { Answer } from './answers.ts';

/** Counts the answers of each operation, to show what a run has covered. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();

  count({ id }: OperationSpec, { status, error }: Answer): void {
    const outcome = error === undefined ? String(status) : error.code;
    const own = this.#counts.get(id) ?? new Map<string, number>();
    this.#counts.set(id, own.set(outcome, (own.get(outcome) ?? 0) + 1));
  }

  /** One line per operation with its answers, the most frequent first. */
  toString(): string {
    const lines = operations.map(({ id }) => {
      const counts = [...(this.#counts.get(id) ?? [])].sort(([, left], [, right]) => right - left);
      return `  ${id}: ${counts.map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`;
    });
    return lines.join('\n');
  }
}
