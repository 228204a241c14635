import { type FoundFile, sessionsOf } from './formats.ts';
import type { ResumePoint, Session, TurnItem } from './items.ts';
import type { ScopeRules } from './scope-rules.ts';
import { type FileState, hashTurn, type ImportState } from './state.ts';

/** Least length of a turn id that is unique: shorter ones are numbers of lines. */
const minUniqueId = 16;

/** A file during a run. */
export interface FileProgress {
  path: string;
  bytes: number;
  modified: number;
  /** Sessions that are not read to their end. */
  open: number;
  failed: boolean;
  /** Whether its last turn goes on. */
  isOpen: boolean;
  next: ResumePoint | null;
  turns: Set<string>;
}

/** The sessions of one Scope. */
export interface Lane {
  scope: string;
  sessions: Session[];
}

interface PlanOptions {
  state: ImportState;
  scopes: ScopeRules;
  /** The Scope of the current folder, which comes first. */
  currentScope: string | undefined;
  /** Says for which choices a file was read. */
  fingerprint: string;
  /** Whether the state is kept. */
  keeps: boolean;
  /** Called for a file that cannot be read. */
  onUnreadable(path: string, error: unknown): void;
}

/** Which sessions are read, in which order, and how far each file was. */
export class ImportPlan {
  lanes: Lane[] = [];
  /** Files that have not changed since they were stored. */
  unchanged = 0;
  /** Files that cannot be read. */
  readonly unreadable: string[] = [];
  sessions = 0;
  bytes = 0;
  readonly files = new Map<string, FileProgress>();
  readonly #options: PlanOptions;
  /** The file in which each turn was seen first. */
  readonly #turns = new Map<string, string>();

  constructor(options: PlanOptions) {
    this.#options = options;
    for (const [path, { turns }] of options.state.files) {
      for (let at = 0; at < turns.length; at += 8) this.#turns.set(turns.slice(at, at + 8), path);
    }
  }

  /** Finds the sessions of the files. */
  async open(found: readonly FoundFile[]): Promise<this> {
    const { state, onUnreadable } = this.#options;
    const sessions: Session[] = [];
    for (const file of found) {
      try {
        const status = await this.#register(file);
        if (isUnchanged(state.fileOf(file.path), status, this.#options.fingerprint)) this.unchanged += 1;
        else {
          const opened = await sessionsOf(file);
          status.open = opened.length;
          sessions.push(...opened);
        }
      } catch (error) {
        this.unreadable.push(file.path);
        onUnreadable(file.path, error);
      }
    }
    this.bytes = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
    this.sessions = sessions.length;
    this.lanes = this.#toLanes(sessions);
    return this;
  }

  async #register({ path }: FoundFile): Promise<FileProgress> {
    const { sessionFile } = await import('./readers/session-file.ts');
    const { bytes, modified } = path === '-' ? { bytes: 0, modified: Date.now() } : await sessionFile(path);
    const known = this.#options.state.fileOf(path);
    const canGoOn =
      known !== undefined && known.options === this.#options.fingerprint && known.bytes <= bytes;
    const next = canGoOn && known.next !== null && known.next.byte <= bytes ? known.next : null;
    const turns = new Set<string>();
    for (let at = 0; at < (known?.turns.length ?? 0); at += 8)
      turns.add(known?.turns.slice(at, at + 8) ?? '');
    const file = { path, bytes, modified, open: 0, failed: false, isOpen: false, next, turns };
    this.files.set(path, file);
    return file;
  }

  /** The current folder's Scope first, then those with the latest activity. */
  #toLanes(sessions: readonly Session[]): Lane[] {
    const { scopes, currentScope } = this.#options;
    const byScope = Map.groupBy(sessions, (session) => scopes.ofSession(session));
    const lanes = [...byScope].map(([scope, of]) => ({
      scope,
      sessions: of,
      last: Math.max(...of.map(({ last }) => last)),
    }));
    const rank = ({ scope, last }: { scope: string; last: number }) =>
      scope === currentScope ? Number.POSITIVE_INFINITY : last;
    return lanes.sort((left, right) => (rank(left) < rank(right) ? 1 : -1));
  }

  /** Bytes that were read, of those to read. */
  get progress(): { read: number; files: number; filesRead: number } {
    const files = [...this.files.values()];
    return {
      read: files.reduce((sum, { open, bytes, next }) => sum + (open === 0 ? bytes : (next?.byte ?? 0)), 0),
      files: files.length,
      filesRead: files.filter(({ open }) => open === 0).length,
    };
  }

  fileOf({ path }: Session): FileProgress {
    const file = this.files.get(path);
    if (file === undefined) throw new Error('A session is of no file.');
    return file;
  }

  /** Where a session is read from. */
  resumeAt(session: Session): ResumePoint | null {
    return session.resumes ? this.fileOf(session).next : null;
  }

  /** Whether a turn was seen in another file: hosts copy turns into sessions that go on from them. */
  isCopy(session: Session, { turn, session: id }: TurnItem): boolean {
    if (turn.length < minUniqueId) return false;
    const hash = hashTurn(`${session.format}/${turn}`);
    const key = `${session.path}\n${id}`;
    const first = this.#turns.get(hash);
    if (first === undefined) this.#turns.set(hash, key);
    else if (first !== key && first !== session.path) return true;
    this.fileOf(session).turns.add(hash);
    return false;
  }

  keepMark(session: Session, next: ResumePoint): void {
    const file = this.fileOf(session);
    file.next = next;
    this.#keep(file, false);
  }

  endSession(session: Session, isWhole: boolean): void {
    const file = this.fileOf(session);
    file.open -= 1;
    if (!isWhole) file.failed = true;
    if (file.open === 0) this.#keep(file, !file.failed && !file.isOpen);
  }

  #keep({ path, bytes, modified, next, turns }: FileProgress, done: boolean): void {
    const { state, fingerprint, keeps } = this.#options;
    if (!keeps || path === '-') return;
    state.setFile(path, { bytes, modified, options: fingerprint, next, done, turns: [...turns].join('') });
  }
}

function isUnchanged(
  known: FileState | undefined,
  { bytes, modified }: FileProgress,
  fingerprint: string,
): boolean {
  return (
    known?.done === true &&
    known.bytes === bytes &&
    known.modified === modified &&
    known.options === fingerprint
  );
}
