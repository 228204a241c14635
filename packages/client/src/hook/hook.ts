import { cleanText, type RedactionLevel, turnSources } from '@continuity/contract/turns';
import { FolderScopes, withTilde } from '../local/folder-scope.ts';
import { missingHome } from '../local/user-state.ts';
import { handoffOf, preparedContext } from './context.ts';
import { commitCurrentWork } from './handoff.ts';
import { HostStatus } from './host-status.ts';
import type { HostEvent } from './hosts/index.ts';
import { NotesFolder, type SessionNotes } from './notes.ts';
import { Queue } from './queue.ts';
import { captureText, sendQueue } from './send.ts';
import { Service } from './service.ts';
import { type Destination, destinationOf, type HookSettings } from './settings.ts';

/** Limits of the service: a query, and an objective. */
const maxQuery = 8_192;
const maxObjective = 8_192;
/** How long after the start of an event texts are still sent, in ms. The rest is left to the background. */
const sendMs = 1_000;

/** Where a hook works. */
export interface HookPlace {
  host: string;
  settings: HookSettings;
  /** Folder of queue and notes; undefined for a user without a home folder. */
  state: string | undefined;
  signal: AbortSignal;
  /** Receives each failure as one line. */
  report(message: string): void;
  /** Starts the background process. */
  startBackground(): void;
}

/** Handles the events of a host (spec 70 §4.2). */
export class Hook {
  readonly #place: HookPlace;
  readonly #service: Service;
  readonly #destination: Destination;
  readonly #queue: Queue | undefined;
  readonly #notes: NotesFolder | undefined;
  readonly #status: HostStatus | undefined;
  readonly #startedAt = Date.now();
  #hasFailed = false;

  constructor(place: HookPlace) {
    this.#place = place;
    this.#service = new Service(place.settings, place.signal);
    this.#destination = destinationOf(place.settings);
    if (place.state === undefined) {
      this.#fail(new Error(missingHome));
      return;
    }
    this.#queue = new Queue(place.state);
    this.#notes = new NotesFolder(place.state);
    this.#status = new HostStatus(place.state, place.host);
  }

  /** Handles an event. Returns the context to add; null if there is none. Never throws. */
  async handle(event: HostEvent, storesPromptAtOnce: boolean): Promise<string | null> {
    try {
      const context = await this.#handle(event, storesPromptAtOnce);
      return context;
    } catch (error) {
      this.#fail(error);
      return null;
    } finally {
      this.#service.close();
      this.#status?.seen(!this.#hasFailed);
    }
  }

  async #handle(event: HostEvent, storesPromptAtOnce: boolean): Promise<string | null> {
    switch (event.kind) {
      case 'start':
        return await this.#onStart(event);
      case 'prompt':
        return await this.#onPrompt(event, storesPromptAtOnce);
      case 'answer':
        await this.#onAnswer(event);
        return null;
      case 'compaction':
        return await this.#onCompaction(event);
      case 'end':
        this.#onEnd(event);
        return null;
    }
  }

  async #onStart(event: HostEvent): Promise<string | null> {
    const scope = this.#scopeOf(event);
    const [handoff] = await Promise.all([
      this.#try(() => handoffOf(this.#service, scope)),
      this.#sendQueue(),
    ]);
    if (handoff !== undefined) this.#mark(event, { shown: handoff.revision });
    if (this.#hasWork()) this.#place.startBackground();
    return handoff?.text ?? null;
  }

  async #onPrompt(event: HostEvent, storesPromptAtOnce: boolean): Promise<string | null> {
    const { prompt } = event;
    if (prompt === null) return null;
    const waits = storesPromptAtOnce ? await this.#store(event, 'prompt', prompt) : undefined;
    const unseen = this.#notesOf(event)?.unseen;
    const scope = this.#scopeOf(event);
    const [prepared, handoff] = await Promise.all([
      this.#try(() => this.#prepare(scope, prompt)),
      unseen === undefined ? undefined : this.#try(() => handoffOf(this.#service, scope, unseen)),
      waits?.(),
      this.#sendQueue(),
    ]);
    if (handoff !== undefined) this.#mark(event, { shown: handoff.revision });
    return [handoff?.text, prepared].filter((text) => text).join('\n\n') || null;
  }

  async #prepare(scope: string, prompt: string): Promise<string | null> {
    // A credential at the limit is read whole.
    const query = cut(cleanOf(cut(prompt, maxQuery + 1_000), this.#place.settings.redaction), maxQuery);
    return query.trim() === '' ? null : await preparedContext(this.#service, scope, query);
  }

  async #onAnswer(event: HostEvent): Promise<void> {
    const { prompt, answer } = event;
    // Both texts are of one turn, also where the host does not name it.
    const turn = event.turn ?? this.#turnOf(event, prompt === null ? 'answer' : 'prompt');
    const waiting = [
      prompt === null ? undefined : await this.#store({ ...event, turn }, 'prompt', prompt),
      answer === null ? undefined : await this.#store({ ...event, turn }, 'answer', answer),
    ];
    for (const send of waiting) await send?.();
    await this.#sendQueue();
  }

  /** Sends what was said, and commits a Handoff of it. Returns it as context, for a host that takes text here. */
  async #onCompaction(event: HostEvent): Promise<string | null> {
    await this.#sendQueue();
    const [notes, queue] = [this.#notesOf(event), this.#queue];
    if (notes === undefined || queue === undefined) return null;
    const revision = await commitCurrentWork(this.#service, queue, notes);
    if (revision === undefined) return null;
    this.#mark(event, { handoff: revision });
    return (await handoffOf(this.#service, notes.scope_id, revision))?.text ?? null;
  }

  #onEnd({ session }: HostEvent): void {
    const notes = this.#notes;
    for (const name of notes?.namesOf(this.#place.host, session) ?? []) notes?.mark(name, { ended: true });
    if (this.#hasWork()) this.#place.startBackground();
  }

  /** Whether texts wait, or sessions have ended without a Handoff. */
  #hasWork(): boolean {
    return (this.#queue?.list().length ?? 0) > 0 || (this.#notes?.due().length ?? 0) > 0;
  }

  /**
   * Puts a text into the queue and notes it, before anything is sent. Without a place on disk, the returned function sends it; undefined
   * if nothing is left to do.
   */
  async #store(
    event: HostEvent,
    role: 'prompt' | 'answer',
    text: string,
  ): Promise<(() => Promise<void>) | undefined> {
    const { host, settings } = this.#place;
    if (!settings.captures) return undefined;
    const { session, directory } = event;
    const turn = event.turn ?? this.#turnOf(event, role);
    const said = { ...{ host, session, turn, role, text }, directory: withTilde(directory) };
    const sources = await turnSources({ ...said, occurredAt: localTime() }, settings.redaction);
    if (typeof sources === 'string' || sources.length === 0) return undefined;
    const scope_id = this.#scopeOf(event);
    const notes = this.#notes?.nameOf(host, session, scope_id) ?? '';
    const destination = this.#destination;
    let version = 1;
    try {
      version = this.#versionOf(event, turn, role);
      if (this.#queue === undefined || this.#notes === undefined) throw new Error(missingHome);
      const queued = this.#queue.add({ destination, scope_id, notes, version, sources });
      if (queued === undefined) throw new Error(fullQueue);
      this.#notes.append(notes, {
        ...{ host, session_id: session, scope_id, destination, role, turn, queued },
        source_id: sources.at(-1)?.source_id ?? '',
        source_ids: sources.map(({ source_id }) => source_id),
        ...(role === 'prompt' && { objective: cut(cleanOf(text, settings.redaction), maxObjective).trim() }),
      });
      return undefined;
    } catch (error) {
      this.#fail(error);
      if ((error as Error).message === fullQueue) return undefined;
      return () =>
        this.#try(async () => void (await captureText(this.#service, { scope_id, version, sources })));
    }
  }

  /**
   * The number of the id that a text tries first. A turn has many answers where other hooks make the agent go on, and trying the ids
   * of all before would take ever longer, and end at the last one.
   */
  #versionOf(event: HostEvent, turn: string, role: 'prompt' | 'answer'): number {
    const before = this.#notesOf(event)?.texts.filter((text) => text.turn === turn && text.role === role);
    return Math.max(1, before?.length ?? 0);
  }

  /** A turn that the host does not name: an answer is of the last prompt, and a prompt begins one. */
  #turnOf(event: HostEvent, role: 'prompt' | 'answer'): string {
    const last = role === 'answer' ? this.#notesOf(event)?.texts.at(-1)?.turn : undefined;
    return last ?? `t${Date.now()}`;
  }

  async #sendQueue(): Promise<void> {
    const [queue, notes] = [this.#queue, this.#notes];
    if (queue === undefined || notes === undefined) return;
    const place = { queue, notes, service: this.#service, destination: this.#destination };
    const { failures, isEmpty } = await sendQueue(place, () => Date.now() - this.#startedAt > sendMs);
    for (const failure of failures) this.#fail(failure);
    if (!isEmpty && failures.length === 0) this.#place.startBackground();
  }

  #scopeOf({ directory }: HostEvent): string {
    return this.#place.settings.scope ?? new FolderScopes().scopeOf(directory) ?? 'project:root';
  }

  #notesOf(event: HostEvent): SessionNotes | undefined {
    return this.#notes?.read(this.#nameOf(event));
  }

  #mark(event: HostEvent, mark: { shown?: number; handoff?: number }): void {
    this.#notes?.mark(this.#nameOf(event), mark);
  }

  #nameOf(event: HostEvent): string {
    return this.#notes?.nameOf(this.#place.host, event.session, this.#scopeOf(event)) ?? '';
  }

  async #try<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    const message = messageOf(error);
    this.#place.report(message);
    this.#status?.failed(message);
  }
}

const fullQueue =
  'The queue of texts is full, so this one is not kept. When the service runs again, run: continuity import';

function messageOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  // A name with several addresses fails with one error for each, and no message.
  return (message || errors?.[0]?.message || code || String(error)).replace(/\s*\n\s*/g, ' ');
}

function cleanOf(text: string, level: RedactionLevel): string {
  const clean = cleanText(text, level);
  return typeof clean === 'string' ? '' : clean.text;
}

/** The first `length` characters. Never ends in half of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('');
}

/** Now, with the local offset. */
function localTime(now = new Date()): string {
  const minutes = -now.getTimezoneOffset();
  const local = new Date(now.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}
