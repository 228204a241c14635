import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ifThere } from '../local/user-state.ts';
import type { Destination } from './settings.ts';

/** What the notes say of one text. */
export interface TextNote {
  /** Id of the last part, which is the boundary of what was said so far. */
  source_id: string;
  /** Ids of all parts. */
  source_ids: string[];
  role: 'prompt' | 'answer';
  turn: string;
  /** Name of its file in the queue. */
  queued: string | null;
  /** The beginning of a prompt, without credentials. */
  objective?: string;
}

/** A line about the session as a whole. */
interface SessionNote {
  host: string;
  session_id: string;
  scope_id: string;
  destination: Destination;
}

type Note = SessionNote &
  Partial<TextNote> & {
    /** The service has the text of this file of the queue, under these ids. */
    stored?: string;
    as?: string[];
    /** The session has ended. */
    ended?: true;
    /** A Handoff before compaction, which the agent has not seen yet, and when it has. */
    handoff?: number;
    shown?: number;
    /** The Handoff of its end is committed. */
    committed?: true;
  };

/** One text of a session, and whether the service has it. */
export interface NotedText extends TextNote {
  isStored: boolean;
}

/** The notes of one session in one Scope. */
export interface SessionNotes extends SessionNote {
  /** Name of the file. */
  name: string;
  /** Time of the last event, in milliseconds. */
  last: number;
  texts: NotedText[];
  hasEnded: boolean;
  isCommitted: boolean;
  /** Handoffs before compactions. */
  compactions: number;
  /** Revision that the next event adds to the context; undefined if there is none. */
  unseen: number | undefined;
}

const dayMs = 86_400_000;
/** A session without an event for so long counts as ended; its notes are removed after the second time. */
const idleMs = 30 * 60_000;
const forgottenMs = 30 * dayMs;

/**
 * Notes of sessions until their Handoff is committed: ids of their Sources and the first prompt, no other text (spec 70 §4.3.3). A file a
 * session and Scope, of JSON Lines that are only appended, so that processes need no lock.
 */
export class NotesFolder {
  readonly #folder: string;

  constructor(state: string) {
    this.#folder = join(state, 'sessions');
  }

  nameOf(host: string, session: string, scope: string): string {
    return `${this.#prefix(host, session)}${hash(scope)}.jsonl`;
  }

  /** Names of the notes of a session, one for each Scope. */
  namesOf(host: string, session: string): string[] {
    return this.#names().filter((name) => name.startsWith(this.#prefix(host, session)));
  }

  append(name: string, note: SessionNote & TextNote): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const { source_id, ...rest } = note;
    this.#append(name, { source_id, ...rest });
  }

  /** Adds a mark to existing notes. */
  mark(name: string, mark: Partial<Note>): void {
    if (statSync(join(this.#folder, name), { throwIfNoEntry: false }) !== undefined) this.#append(name, mark);
  }

  /** Reads notes; undefined without any. */
  read(name: string): SessionNotes | undefined {
    const path = join(this.#folder, name);
    return ifThere(() => {
      const notes = readFileSync(path, 'utf8').split('\n').flatMap(parseNote);
      const first = notes.find((note): note is Note => note.session_id !== undefined);
      if (first === undefined) return undefined;
      const { host, session_id, scope_id, destination } = first;
      const compactions = notes.flatMap(({ handoff }) => handoff ?? []);
      const shown = new Set(notes.map((note) => note.shown));
      return {
        ...{ host, session_id, scope_id, destination, name },
        last: statSync(path).mtimeMs,
        texts: textsOf(notes),
        hasEnded: notes.some(({ ended }) => ended === true),
        isCommitted: notes.some(({ committed }) => committed === true),
        compactions: compactions.length,
        unseen: compactions.filter((revision) => !shown.has(revision)).at(-1),
      };
    });
  }

  /** Sessions that have ended, or had no event for 30 minutes, in the order of their last events. Forgets those of 30 days ago. */
  due(): SessionNotes[] {
    const now = Date.now();
    const due: SessionNotes[] = [];
    for (const name of this.#names()) {
      const last = statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - last > forgottenMs) this.remove(name);
      else {
        const notes = this.read(name);
        if (notes !== undefined && (notes.hasEnded || now - last > idleMs)) due.push(notes);
      }
    }
    return due.sort((a, b) => a.last - b.last);
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }

  #names(): string[] {
    return (ifThere(() => readdirSync(this.#folder)) ?? []).filter((name) => name.endsWith('.jsonl'));
  }

  #prefix(host: string, session: string): string {
    return `${hash(`${host}\0${session}`)}-`;
  }

  #append(name: string, note: Partial<Note>): void {
    appendFileSync(join(this.#folder, name), `${JSON.stringify(note)}\n`, { mode: 0o600 });
  }
}

/** FNV-1a of 64 bits in hex: a name for a file, which needs no cryptography. */
function hash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** A line that a kill has cut is left out. */
function parseNote(line: string): Partial<Note>[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as Partial<Note>];
  } catch {
    return [];
  }
}

function textsOf(notes: Partial<Note>[]): NotedText[] {
  const stored = new Map(notes.flatMap(({ stored: name, as }) => (name && as ? [[name, as] as const] : [])));
  return notes.flatMap((note) => {
    const { source_ids, role, turn, queued = null, objective } = note;
    if (!source_ids || !role || turn === undefined) return [];
    // An erased text is stored under no id.
    const ids = (queued !== null && stored.get(queued)) || [];
    const known = ids.length > 0 ? ids : source_ids;
    return [
      {
        ...{ role, turn, queued, source_ids: known, source_id: known.at(-1) ?? '' },
        ...(objective !== undefined && { objective }),
        isStored: ids.length > 0,
      },
    ];
  });
}
