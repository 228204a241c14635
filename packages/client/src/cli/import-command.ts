import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { RedactionLevel } from '@continuity/contract/turns';
import { Counts } from '../import/counts.ts';
import { discover, type FoundFile, filesOf, hostNames } from '../import/formats.ts';
import { type FormatName, formatNames } from '../import/items.ts';
import { ImportPlan } from '../import/plan.ts';
import { ImportRun } from '../import/run.ts';
import { ScopeRules } from '../import/scope-rules.ts';
import { closeSpools } from '../import/spool.ts';
import { ImportState } from '../import/state.ts';
import { FolderScopes } from '../local/folder-scope.ts';
import type { Context } from './context.ts';
import { exitCodeOf, exitCodes, toLine, UsageError } from './errors.ts';
import { ImportOutput } from './import-output.ts';

export interface ImportCommandOptions {
  format?: string;
  since?: string;
  redact: RedactionLevel;
  dryRun?: boolean;
  report?: string;
  again?: boolean;
  yes?: boolean;
  scope?: string;
}

/** Tokens from which a model needs `--yes` (spec 70 §3.8). */
const maxTokens = 1_000_000;

/** Exit code of an import that was interrupted. */
const interrupted = 130;

/** `continuity import` (spec 70 §3). Sets the exit code. */
export async function importItems(
  context: Context,
  items: string[],
  options: ImportCommandOptions,
): Promise<void> {
  // Most of what an import reads is garbage at once: a small young generation keeps it at a third of the memory.
  setFlagsFromString('--optimize-for-size');
  const command = new ImportCommand(context, options);
  try {
    process.exitCode = await (items.length === 0 ? command.list() : command.import(items));
  } finally {
    await closeSpools();
  }
}

class ImportCommand {
  readonly #context: Context;
  readonly #options: ImportCommandOptions;
  readonly #scopes: ScopeRules;
  readonly #output: ImportOutput;
  readonly #since: number | null;

  constructor(context: Context, options: ImportCommandOptions) {
    this.#context = context;
    this.#options = options;
    this.#since = options.since === undefined ? null : parseSince(options.since);
    this.#scopes = new ScopeRules(new FolderScopes(), options.scope, context.settings.scope);
    this.#output = new ImportOutput(context.output);
  }

  /** Lists the sessions of this machine, and the commands that import them. Writes nothing. */
  async list(): Promise<number> {
    const rows = [];
    for (const format of hostNames) {
      const found = await discover(format, process.env);
      if (found.length === 0) continue;
      const { plan, counts } = await this.#dryRun(found);
      rows.push({ format, plan, counts });
    }
    this.#output.list(rows);
    return rows.length === 0 ? exitCodes.notFound : 0;
  }

  async import(items: string[]): Promise<number> {
    const found = await this.#find(items);
    if (found.length === 0) {
      this.#context.output.error('Nothing to import was found.');
      return exitCodes.notFound;
    }
    if (this.#options.dryRun === true) {
      const { plan, counts, run } = await this.#dryRun(found, this.#options.report);
      this.#output.dryRun(plan, counts, run.samples);
      return exitCodeFor(counts);
    }
    await this.#checkModel(found);
    return await this.#send(found);
  }

  /** The files of the arguments. Throws `UsageError` for an argument or a format that is unknown. */
  async #find(items: string[]): Promise<FoundFile[]> {
    const format = this.#options.format === undefined ? undefined : requireFormat(this.#options.format);
    const found: FoundFile[] = [];
    for (const item of items) {
      if (isFormat(item) && !existsSync(item)) found.push(...(await this.#discover(item)));
      else if (item !== '-' && !existsSync(item)) throw this.#unknown(item);
      else found.push(...(await this.#filesOf(item, format)));
    }
    return [...new Map(found.map((file) => [file.path, file])).values()];
  }

  async #discover(format: FormatName): Promise<FoundFile[]> {
    if (hostNames.includes(format)) return await discover(format, process.env);
    throw new UsageError(`${format} has no place of its own. Give its file: continuity import FILE`);
  }

  async #filesOf(item: string, format: FormatName | undefined): Promise<FoundFile[]> {
    const found = await filesOf(item === '-' ? item : resolve(item), format);
    if (found.length > 0) return found;
    throw new UsageError(`${item} has no known format. Name it: --format ${formatNames.join('|')}`);
  }

  /** A word that is no format, or a path that does not exist. */
  #unknown(item: string): Error {
    const isPath = /[./\\]/.test(item);
    return isPath
      ? new MissingPathError(`${item} does not exist.`)
      : new UsageError(`${item} is no format and no path. Formats: ${formatNames.join(', ')}.`);
  }

  async #plan(found: readonly FoundFile[], state: ImportState, keeps: boolean): Promise<ImportPlan> {
    const { redact } = this.#options;
    return await new ImportPlan({
      state,
      scopes: this.#scopes,
      currentScope: this.#scopes.ofFolder(process.cwd()),
      fingerprint: JSON.stringify([this.#options.scope ?? this.#context.settings.scope ?? null, redact]),
      keeps,
      onUnreadable: (path, error) => this.#output.unreadable(path, error),
    }).open(found);
  }

  async #dryRun(found: readonly FoundFile[], report?: string) {
    const state = ImportState.none();
    const plan = await this.#plan(found, state, false);
    const counts = new Counts(report);
    for (const path of plan.unreadable) counts.addUnreadable(path);
    const run = new ImportRun(plan, {
      scopes: this.#scopes,
      level: this.#options.redact,
      since: this.#since,
      counts,
      state,
      signal: new AbortController().signal,
      client: undefined,
      onProgress: () => this.#output.progress(plan, counts),
      onScope: () => undefined,
    });
    await run.run();
    this.#context.output.endProgress();
    counts.flush();
    return { plan, counts, run };
  }

  /** Throws `UsageError` if a model would read very much and nobody agreed to it. */
  async #checkModel(found: readonly FoundFile[]): Promise<void> {
    if (this.#options.yes === true) return;
    const { memory_extractor } = await this.#context.client.getCapabilities();
    if (memory_extractor !== 'model') return;
    const { counts } = await this.#dryRun(found);
    if (counts.tokens <= maxTokens) return;
    throw new UsageError(
      `A model will read about ${counts.tokens.toLocaleString('en')} tokens to extract Memory. Add --yes to import them, or --since to import less.`,
    );
  }

  async #send(found: readonly FoundFile[]): Promise<number> {
    const { client, settings, output } = this.#context;
    const { report, again, redact } = this.#options;
    const state = ImportState.open(settings, process.env, again === true);
    // With --since a file is not stored whole, so the next import reads it again.
    const plan = await this.#plan(found, state, this.#since === null);
    const counts = new Counts(report);
    for (const path of plan.unreadable) counts.addUnreadable(path);
    const stop = new AbortController();
    const interrupt = () => stop.abort(new Error('The import was interrupted.'));
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
    try {
      await new ImportRun(plan, {
        scopes: this.#scopes,
        level: redact,
        since: this.#since,
        counts,
        state,
        signal: stop.signal,
        client,
        onProgress: () => this.#output.progress(plan, counts),
        onScope: (scope, isDone) => this.#output.scope(scope, isDone, counts),
      }).run();
      state.finish();
    } catch (error) {
      state.save();
      output.endProgress();
      counts.flush();
      if (stop.signal.aborted) return this.#stopped(plan, counts, stop.signal.reason, interrupted);
      const code = exitCodeOf(error);
      if (code !== exitCodes.unavailable) throw error;
      return this.#stopped(plan, counts, error, code);
    } finally {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    }
    output.endProgress();
    counts.flush();
    this.#output.done(plan, counts);
    return exitCodeFor(counts);
  }

  #stopped(plan: ImportPlan, counts: Counts, error: unknown, code: number): number {
    this.#output.done(plan, counts);
    this.#context.output.error(`${toLine(error)} Run the same command again: it goes on where it stopped.`);
    return code;
  }
}

/** A path that does not exist: exit code 4. */
class MissingPathError extends Error {
  override readonly name = 'MissingPathError';
}

function exitCodeFor({ refused }: Counts): number {
  return refused > 0 ? exitCodes.conflict : 0;
}

function isFormat(name: string): name is FormatName {
  return (formatNames as readonly string[]).includes(name);
}

function requireFormat(name: string): FormatName {
  if (isFormat(name)) return name;
  throw new UsageError(`--format must be one of ${formatNames.join(', ')}.`);
}

const dayMs = 86_400_000;

/** The time of `--since` in milliseconds: a date in local time, a time, or a number of days. Throws `UsageError`. */
function parseSince(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return Date.now() - Number(days) * dayMs;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/i.test(text);
  const ms = isDate ? Date.parse(`${text}T00:00:00`) : isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new UsageError('--since must be a date, a time, or a number of days such as 30d.');
  return ms;
}
