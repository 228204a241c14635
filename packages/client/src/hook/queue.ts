import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceToCapture } from '@continuity/contract/turns';
import { ifThere, randomName, removeIfAbandoned, writeWhole } from '../local/user-state.ts';
import type { Destination } from './settings.ts';

/** Limits of the queue (spec 70 §4.3), and of the texts that the service refused. */
export const maxQueuedFiles = 2_000;
export const maxQueuedBytes = 64 * 1024 * 1024;
const maxRefused = 100;

/** One text that waits: one Source, or the parts of a long text. */
export interface QueuedText {
  destination: Destination;
  scope_id: string;
  /** The notes of the session. */
  notes: string;
  /** The number of the id that is tried first, from 1 (spec 70 §2.2). Absent: 1. */
  version?: number;
  sources: SourceToCapture[];
}

/** A file of the queue. Names sort by time, and end with the size in bytes. */
export interface QueuedFile {
  name: string;
  bytes: number;
}

/** Texts of turns on disk, until the service has stored them. Each is a file, so that a kill leaves it whole. */
export class Queue {
  readonly folder: string;
  readonly #refused: string;
  readonly #lost: string;

  constructor(state: string) {
    this.folder = join(state, 'queue');
    this.#refused = join(this.folder, 'refused');
    this.#lost = join(this.folder, 'not-kept');
  }

  /** Adds a text. Returns its name; undefined if the queue is full, which is counted. */
  add(text: QueuedText): string | undefined {
    const content = JSON.stringify(text);
    const bytes = Buffer.byteLength(content);
    const files = this.list();
    const total = files.reduce((sum, file) => sum + file.bytes, 0);
    if (files.length >= maxQueuedFiles || total + bytes > maxQueuedBytes) {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      // One byte a text: appending needs no lock.
      appendFileSync(this.#lost, '.', { mode: 0o600 });
      return undefined;
    }
    const name = `${String(Date.now()).padStart(15, '0')}-${randomName()}-${bytes}.json`;
    writeWhole(this.folder, name, content);
    return name;
  }

  /** The texts that wait, oldest first. Removes what killed processes have left. */
  list(): QueuedFile[] {
    const names = ifThere(() => readdirSync(this.folder)) ?? [];
    for (const name of names) if (name.endsWith('.tmp')) removeIfAbandoned(this.folder, name);
    return names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => ({ name, bytes: Number(/-(\d+)\.json$/.exec(name)?.[1] ?? 0) }));
  }

  /** The text of a file; undefined if another process has sent it. A damaged file is put aside. */
  read(name: string): QueuedText | undefined {
    const content = ifThere(() => readFileSync(join(this.folder, name), 'utf8'));
    if (content === undefined) return undefined;
    try {
      const text = JSON.parse(content) as QueuedText;
      if (Array.isArray(text.sources) && typeof text.destination?.url === 'string') return text;
    } catch {}
    this.refuse(name);
    return undefined;
  }

  remove(name: string): void {
    rmSync(join(this.folder, name), { force: true });
  }

  /** Puts a text aside that the service will never take. Keeps the last 100. */
  refuse(name: string): void {
    mkdirSync(this.#refused, { recursive: true, mode: 0o700 });
    ifThere(() => renameSync(join(this.folder, name), join(this.#refused, name)));
    for (const old of this.#listRefused().slice(0, -maxRefused))
      rmSync(join(this.#refused, old), { force: true });
  }

  /** Numbers for people: texts that wait, that the service refused, that found the queue full. */
  counts(): { queued: number; bytes: number; refused: number; notKept: number } {
    const files = this.list();
    return {
      queued: files.length,
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      refused: this.#listRefused().length,
      notKept: statSync(this.#lost, { throwIfNoEntry: false })?.size ?? 0,
    };
  }

  #listRefused(): string[] {
    return (ifThere(() => readdirSync(this.#refused)) ?? []).filter((name) => name.endsWith('.json')).sort();
  }
}
