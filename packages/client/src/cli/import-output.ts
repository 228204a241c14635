import type { Counts } from '../import/counts.ts';
import type { FormatName } from '../import/items.ts';
import type { ImportPlan } from '../import/plan.ts';
import type { Sample } from '../import/run.ts';
import type { Output } from './output.ts';

/** Least time between two lines of progress, in milliseconds. */
const progressMs = 200;
/** Scopes that a list names. */
const maxNamedScopes = 5;

interface ListRow {
  format: FormatName;
  plan: ImportPlan;
  counts: Counts;
}

/** What `continuity import` prints. */
export class ImportOutput {
  readonly #output: Output;
  readonly #startedAt = Date.now();
  #progressAt = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  list(rows: readonly ListRow[]): void {
    if (this.#output.isJson) {
      this.#output.json(
        rows.map(({ format, plan, counts }) => ({
          format,
          sessions: plan.sessions,
          texts: counts.added,
          bytes: plan.bytes,
          scopes: Object.fromEntries([...counts.scopes].map(([scope, { added }]) => [scope, added])),
        })),
      );
      return;
    }
    if (rows.length === 0) {
      this.#output.note('No sessions of a known agent host were found. Give a file: continuity import FILE');
      return;
    }
    this.#output.table(
      ['FORMAT', 'SESSIONS', 'TEXTS', 'SIZE', 'SCOPES', 'COMMAND'],
      rows.map(({ format, plan, counts }) => [
        format,
        String(plan.sessions),
        String(counts.added),
        sizeOf(plan.bytes),
        namesOf([...counts.scopes.keys()]),
        `continuity import ${format}`,
      ]),
    );
    this.#output.note(
      `Nothing was written. To import all: continuity import ${rows.map(({ format }) => format).join(' ')}`,
    );
  }

  dryRun(plan: ImportPlan, counts: Counts, samples: readonly Sample[]): void {
    if (this.#output.isJson) {
      this.#output.json({ ...this.#summary(plan, counts), samples });
      return;
    }
    this.#output.text(
      `Would send ${counts.added} texts of ${plan.sessions} sessions (${sizeOf(plan.bytes)}).`,
    );
    this.#leftOut(counts);
    for (const [scope, { added }] of counts.scopes) this.#output.text(`  ${scope}: ${added}`);
    for (const { scope, source_id, content } of samples)
      this.#output.text(`\n--- ${scope} ${source_id}\n${content}`);
  }

  done(plan: ImportPlan, counts: Counts): void {
    if (this.#output.isJson) {
      this.#output.json(this.#summary(plan, counts));
      return;
    }
    const { added, already, entries } = counts;
    const facts = entries === 0 ? '' : ` (${entries} as entries)`;
    const unchanged = plan.unchanged === 0 ? '' : ` ${plan.unchanged} files have not changed.`;
    this.#output.text(`Added ${added} texts${facts}; ${already} were there already.${unchanged}`);
    this.#leftOut(counts);
    for (const [reason, where] of counts.refusals) this.#output.note(`Refused (first ${where}): ${reason}`);
    if (counts.refused > 0) this.#output.note(`${counts.refused} items were refused.`);
  }

  #summary(plan: ImportPlan, counts: Counts): Record<string, unknown> {
    return {
      sessions: plan.sessions,
      bytes: plan.bytes,
      unchanged_files: plan.unchanged,
      ...counts.toJson(),
    };
  }

  #leftOut({ leftOut, leftOutTotal }: Counts): void {
    if (leftOutTotal === 0) return;
    const reasons = [...leftOut].map(([reason, count]) => `${reason} ${count}`).join(', ');
    this.#output.text(`Left out ${leftOutTotal}: ${reasons}.`);
  }

  /** Says that a Scope can be searched. */
  scope(scope: string, isDone: boolean, counts: Counts): void {
    const added = counts.scopes.get(scope)?.added ?? 0;
    this.#output.endProgress();
    const state = isDone ? '' : ' so far';
    this.#output.note(
      `${scope}: ${added} texts${state}. Search them: continuity search --scope ${quote(scope)} "…"`,
    );
  }

  unreadable(path: string, error: unknown): void {
    this.#output.note(`${path} cannot be read: ${(error as Error).message}`);
  }

  progress(plan: ImportPlan, { added, already }: Counts): void {
    const now = Date.now();
    if (now - this.#progressAt < progressMs) return;
    this.#progressAt = now;
    const { read, files, filesRead } = plan.progress;
    const elapsed = now - this.#startedAt;
    const left =
      read === 0 || elapsed < 2_000 ? '' : `, ${durationOf((elapsed * (plan.bytes - read)) / read)} left`;
    this.#output.progress(
      `${filesRead} of ${files} files, ${added + already} texts, ${sizeOf(read)} of ${sizeOf(plan.bytes)}${left}`,
    );
  }
}

function namesOf(scopes: string[]): string {
  const named = scopes.slice(0, maxNamedScopes).join(', ');
  return scopes.length > maxNamedScopes ? `${named} and ${scopes.length - maxNamedScopes} more` : named;
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return bytes < 1_000_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}

function durationOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** A word that a shell reads as it is. */
function quote(word: string): string {
  return /^[\w:./@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
