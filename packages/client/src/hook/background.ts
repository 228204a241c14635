import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ifThere, isRunning } from '../local/user-state.ts';
import { commitEndHandoff } from './handoff.ts';
import { HostStatus } from './host-status.ts';
import { NotesFolder, type SessionNotes } from './notes.ts';
import { Queue } from './queue.ts';
import { isRefusedForGood, sendQueue } from './send.ts';
import { Refusal, Service } from './service.ts';
import { destinationOf, type HookSettings, isSameDestination } from './settings.ts';

/** Time limit of a background process, in ms. */
export const backgroundMs = 60_000;

/**
 * Sends the queue, flushes Memory, and commits the Handoffs of sessions that have ended. At most one process a user does so: another one
 * returns at once, and the first one looks again before it ends.
 */
export async function runBackground(settings: HookSettings, state: string, host: string): Promise<void> {
  const lock = new Lock(join(state, 'background.lock'));
  const service = new Service(settings, AbortSignal.timeout(backgroundMs));
  const work = new BackgroundWork(settings, state, service);
  try {
    // A session may end between the last look and the release.
    while (work.isOpen() && lock.take()) {
      try {
        await work.run();
      } finally {
        lock.release();
      }
    }
  } catch (error) {
    new HostStatus(state, host).failed((error as Error).message);
  } finally {
    service.close();
  }
}

class BackgroundWork {
  readonly #queue: Queue;
  readonly #notes: NotesFolder;
  readonly #service: Service;
  readonly #destination: ReturnType<typeof destinationOf>;
  /** Scopes that this process has flushed, and sessions that it could not finish. */
  readonly #flushed = new Set<string>();
  readonly #open = new Set<string>();

  constructor(settings: HookSettings, state: string, service: Service) {
    this.#queue = new Queue(state);
    this.#notes = new NotesFolder(state);
    this.#service = service;
    this.#destination = destinationOf(settings);
  }

  /** Whether there is something to do that was not tried yet. */
  isOpen(): boolean {
    if (this.#service.isOver) return false;
    return this.#due().length > 0 || this.#waiting() > 0;
  }

  async run(): Promise<void> {
    const service = this.#service;
    const place = { queue: this.#queue, notes: this.#notes, service, destination: this.#destination };
    const sent = await sendQueue(place, () => service.isOver);
    if (!sent.isEmpty) throw sent.failures.at(-1) ?? new Error('The queue could not be sent in time.');
    for (const { name } of this.#queue.list()) this.#open.add(name);
    for (const session of this.#due()) await this.#finish(session);
  }

  async #finish({ name, scope_id }: SessionNotes): Promise<void> {
    // A session that goes on after it was idle keeps its notes.
    const session = this.#notes.read(name);
    if (session === undefined) return;
    this.#open.add(name);
    const isFlushed = await this.#flush(scope_id);
    if (!session.isCommitted) {
      try {
        await commitEndHandoff(this.#service, this.#queue, session);
      } catch (error) {
        if (!isRefusedForGood(error)) throw error;
      }
      this.#notes.mark(name, { committed: true });
    }
    if (isFlushed) this.#notes.remove(name);
  }

  /** Flushes a Scope into Memory. Returns false if that has to be repeated. */
  async #flush(scope_id: string): Promise<boolean> {
    if (this.#flushed.has(scope_id)) return true;
    try {
      await this.#service.post('/v1/memory/flush', { scope_id });
    } catch (error) {
      // A Handoff needs neither a worker nor a model.
      if (error instanceof Refusal && error.status >= 500) return false;
      if (!isRefusedForGood(error)) throw error;
    }
    this.#flushed.add(scope_id);
    return true;
  }

  #due(): SessionNotes[] {
    return this.#notes
      .due()
      .filter(
        ({ name, destination }) => !this.#open.has(name) && isSameDestination(destination, this.#destination),
      );
  }

  #waiting(): number {
    return this.#queue.list().filter(({ name }) => {
      if (this.#open.has(name)) return false;
      const text = this.#queue.read(name);
      return text !== undefined && isSameDestination(text.destination, this.#destination);
    }).length;
  }
}

/** A file that one process has at a time. One of a process that was killed, or that is older than a process can be, is taken over. */
class Lock {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  take(): boolean {
    mkdirSync(join(this.#path, '..'), { recursive: true, mode: 0o700 });
    for (const _ of [1, 2]) {
      try {
        writeFileSync(this.#path, String(process.pid), { flag: 'wx', mode: 0o600 });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || this.#isHeld()) return false;
        rmSync(this.#path, { force: true });
      }
    }
    return false;
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }

  #isHeld(): boolean {
    const status = statSync(this.#path, { throwIfNoEntry: false });
    if (status === undefined) return false;
    const age = Date.now() - status.mtimeMs;
    // Its holder may release it between two steps.
    const pid = Number(ifThere(() => readFileSync(this.#path, 'utf8')));
    // Its writer may not have written its id yet.
    return age < 1_000 || (age < 1.5 * backgroundMs && isRunning(pid));
  }
}
