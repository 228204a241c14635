import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stateFolder, writeWhole } from '../local/user-state.ts';
import type { ResumePoint } from './items.ts';

/** What is known of a file that was read. */
export interface FileState {
  bytes: number;
  modified: number;
  /** The Scope and redaction that were chosen: with others, the file is read again. */
  options: string;
  /** Behind its last stored turn; null before the first one. */
  next: ResumePoint | null;
  /** Whether all of it was stored. */
  done: boolean;
  /** Ids of its turns, hashed, 8 characters each: a message that comes again in another session is a copy. */
  turns: string;
}

interface Stored {
  version: 1;
  /** Of an unfinished run: the number of Sources that each Scope had before it. */
  marks: Record<string, number>;
  files: Record<string, FileState>;
}

/** Least time between two writes of progress, in milliseconds. What a kill loses is sent again, and stored once. */
const saveMs = 1_000;

/**
 * The state of imports into one service with one token: a file of this user (spec 70 §3.5). Without a folder for it, nothing is kept, and
 * a later import sends all again.
 */
export class ImportState {
  readonly #path: string | undefined;
  readonly #stored: Stored;
  #savedAt = 0;

  private constructor(path: string | undefined, stored: Stored) {
    this.#path = path;
    this.#stored = stored;
  }

  /** Opens the state; an empty one with `again`. */
  static open(
    { url, token }: { url: string; token: string | undefined },
    env: NodeJS.ProcessEnv,
    again: boolean,
  ): ImportState {
    const path = statePath(url, token, env);
    const stored = (path && readState(path)) || noState();
    return new ImportState(path, again ? { ...stored, files: {} } : stored);
  }

  /** A state that is never written, for a dry run. */
  static none(): ImportState {
    return new ImportState(undefined, noState());
  }

  markOf(scope: string): number | undefined {
    return this.#stored.marks[scope];
  }

  /** Keeps a mark at once: after a kill it says what this run has added. */
  setMark(scope: string, total: number): void {
    this.#stored.marks[scope] = total;
    this.save();
  }

  fileOf(path: string): FileState | undefined {
    return this.#stored.files[path];
  }

  get files(): [string, FileState][] {
    return Object.entries(this.#stored.files);
  }

  setFile(path: string, state: FileState): void {
    this.#stored.files[path] = state;
    if (Date.now() - this.#savedAt > saveMs) this.save();
  }

  /** Ends a run that completed: the next one has marks of its own. */
  finish(): void {
    this.#stored.marks = noMarks();
    this.save();
  }

  /** Writes the state. A full disk costs nothing but a longer next run. */
  save(): void {
    this.#savedAt = Date.now();
    if (this.#path === undefined) return;
    try {
      writeWhole(dirname(this.#path), basename(this.#path), JSON.stringify(this.#stored));
    } catch {}
  }
}

function noState(): Stored {
  return { version: 1, marks: noMarks(), files: {} };
}

/** Without a prototype, a Scope can have any name, such as `constructor`. */
function noMarks(): Record<string, number> {
  return Object.create(null);
}

function statePath(url: string, token: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const folder = stateFolder(env);
  if (folder === undefined) return undefined;
  const key = createHash('sha256')
    .update(JSON.stringify([url, token ?? null]))
    .digest('hex')
    .slice(0, 24);
  return join(folder, 'import', `${key}.json`);
}

function readState(path: string): Stored | undefined {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Stored;
    const isKnown =
      stored.version === 1 && [stored.files, stored.marks].every((part) => part && typeof part === 'object');
    return isKnown ? { ...stored, marks: Object.assign(noMarks(), stored.marks) } : undefined;
  } catch {
    return undefined;
  }
}

/** A turn id as the state keeps it. */
export function hashTurn(id: string): string {
  return createHash('sha256').update(id).digest('base64').slice(0, 8);
}
