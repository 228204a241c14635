import {
  cleanText,
  type RedactionLevel,
  type SourceToCapture,
  textSources,
  turnSources,
} from '@continuity/contract/turns';
import type { Client } from '../client.ts';
import { ServiceError } from '../errors.ts';
import { withTilde } from '../local/folder-scope.ts';
import { sleep } from '../retry.ts';
import { type Counts, estimateTokens, type Result } from './counts.ts';
import { cleanFact, FactSender } from './facts.ts';
import type { DocumentItem, FactItem, Item, LeftOutReason, Session, TurnItem } from './items.ts';
import { toMs } from './items.ts';
import { mergeSessions } from './merge.ts';
import type { FileProgress, ImportPlan, Lane } from './plan.ts';
import type { ScopeRules } from './scope-rules.ts';
import { Sender } from './send.ts';
import type { ImportState } from './state.ts';

/** Most requests that are under way (spec 70 §3.3): one a Scope, because the order within a Scope counts. */
const maxLanes = 8;
/** Time after which a Scope is flushed before it is done, in milliseconds. */
const flushMs = 20_000;
/** Longest wait for the extraction of the first Scope, in milliseconds. */
const firstExtractionMs = 30_000;
/** Texts that a dry run shows. */
const maxSamples = 3;

export interface RunOptions {
  scopes: ScopeRules;
  level: RedactionLevel;
  /** Texts before it are left out, in milliseconds; null for all. */
  since: number | null;
  counts: Counts;
  state: ImportState;
  signal: AbortSignal;
  /** Undefined for a dry run: then nothing is sent. */
  client: Client | undefined;
  onProgress(): void;
  /** A Scope can be searched: it is done, or after 20 s. */
  onScope(scope: string, isDone: boolean): void;
}

/** A text as it would be sent. */
export interface Sample {
  scope: string;
  source_id: string;
  content: string;
}

/** Reads, cleans and sends the sessions of a plan. Rejects with what stopped it; what was stored by then stays. */
export class ImportRun {
  readonly samples: Sample[] = [];
  readonly #options: RunOptions;
  readonly #sender: Sender | undefined;
  readonly #facts: FactSender | undefined;
  readonly #plan: ImportPlan;

  constructor(plan: ImportPlan, options: RunOptions) {
    this.#plan = plan;
    this.#options = options;
    const { client, state, signal } = options;
    this.#sender = client && new Sender(client, state, signal);
    this.#facts = this.#sender && new FactSender(this.#sender);
  }

  async run(): Promise<void> {
    const waiting = [...this.#plan.lanes];
    const first = waiting.shift();
    const stop = new AbortController();
    try {
      if (first !== undefined) {
        const [scope] = await this.#runLane(first.sessions);
        // Requests come before extraction in the service, so the other Scopes would take the processors from this one.
        if (scope !== undefined) {
          await Promise.race([this.#extract(scope, stop.signal), sleep(firstExtractionMs, stop.signal)]);
        }
      }
      await Promise.all(Array.from({ length: maxLanes }, () => this.#work(waiting)));
    } finally {
      stop.abort();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** A lane that fails stops the others at their next item, so that none writes after the end. */
  async #work(waiting: Lane[]): Promise<void> {
    try {
      for (
        let lane = waiting.shift();
        lane !== undefined && this.#failure === undefined;
        lane = waiting.shift()
      ) {
        await this.#runLane(lane.sessions);
      }
    } catch (error) {
      this.#failure ??= error;
    }
  }

  /**
   * Extracts a Scope window by window: the service by itself takes turns among all Scopes, and the user asks about the first one first.
   * Ends with the import.
   */
  async #extract(scope: string, signal: AbortSignal): Promise<void> {
    const { client, signal: interrupted } = this.#options;
    if (client === undefined || !this.#hasWorker) return;
    try {
      for (;;) {
        const flushed = await client.flushMemory(
          { scope_id: scope },
          { signal: AbortSignal.any([signal, interrupted]) },
        );
        if (flushed.status === 'idle' || flushed.current_cursor >= flushed.high_watermark) return;
      }
    } catch {
      // The service goes on by itself.
    }
  }

  #failure: unknown;

  /** Sends the sessions of a lane. Returns the Scopes that got texts. */
  async #runLane(sessions: readonly Session[]): Promise<Set<string>> {
    const scopes = new Set<string>();
    let flushAt = Date.now() + flushMs;
    const merged = mergeSessions(sessions, (session) => this.#plan.resumeAt(session));
    for await (const next of merged) {
      if (this.#failure !== undefined) return scopes;
      this.#options.signal.throwIfAborted();
      const file = this.#plan.fileOf(next.session);
      if (next.item === null) {
        if (next.error !== undefined) this.#leaveOut(next.session, 'bad_line', null);
        this.#plan.endSession(next.session, next.error === undefined);
      } else {
        for (const added of await this.#handle(next.session, file, next.item)) scopes.add(added);
      }
      this.#options.onProgress();
      if (scopes.size > 0 && Date.now() > flushAt) {
        flushAt = Date.now() + flushMs;
        await this.#flush(scopes, false);
      }
    }
    await this.#flush(scopes, true);
    return scopes;
  }

  /** Handles an item. Returns the Scopes that it was added to. */
  async #handle(session: Session, file: FileProgress, item: Item): Promise<string[]> {
    switch (item.type) {
      case 'mark':
        this.#plan.keepMark(session, item.next);
        return [];
      case 'left_out':
        if (item.reason === 'open_turn') file.isOpen = true;
        this.#leaveOut(session, item.reason, item.line);
        return [];
      case 'turn':
        return await this.#handleTurn(session, item);
      case 'document':
        return await this.#handleDocument(session, item);
      case 'fact':
        return await this.#handleFact(session, item);
    }
  }

  async #handleTurn(session: Session, item: TurnItem): Promise<string[]> {
    if (this.#isBefore(item.time)) return this.#leaveOut(session, 'before_since', item.line);
    if (this.#plan.isCopy(session, item)) return this.#leaveOut(session, 'copy', item.line);
    const { role, session: id, turn, text, time, directory } = item;
    const where = directory === null ? null : withTilde(directory);
    const host = session.format;
    const named = { role, host, session: id, turn, text, directory: where, occurredAt: time };
    const sources = await turnSources(named, this.#options.level);
    if (typeof sources === 'string') return this.#leaveOut(session, sources, item.line);
    const scope = this.#options.scopes.ofTurn(session, directory);
    return await this.#capture(session, item.line, scope, sources, true);
  }

  async #handleDocument(session: Session, item: DocumentItem): Promise<string[]> {
    if (this.#isBefore(item.time)) return this.#leaveOut(session, 'before_since', item.line);
    const clean = cleanText(item.text, this.#options.level);
    if (typeof clean === 'string') return this.#leaveOut(session, clean, item.line);
    const scope = this.#options.scopes.ofItem(session, item.scope);
    if (scope === '') return this.#refuse(session, item, 'it names no scope_id, and no --scope is given');
    const metadata = item.metadata as Record<string, string | number>;
    const sources = await textSources({ base: item.id, clean, metadata, occurredAt: item.time });
    return await this.#capture(session, item.line, scope, sources, false);
  }

  async #handleFact(session: Session, item: FactItem): Promise<string[]> {
    const { counts, level, scopes } = this.#options;
    const scope = scopes.ofItem(session, item.scope);
    if (scope === '') return this.#refuse(session, item, 'it names no scope_id, and no --scope is given');
    const fact = cleanFact(item, scope, level);
    if (typeof fact === 'string') return this.#leaveOut(session, fact, item.line);
    counts.tokens += estimateTokens(fact.text);
    this.#show({ scope: fact.scope, source_id: fact.id, content: fact.text });
    if (this.#facts === undefined) {
      counts.add(
        this.#result(session, item.line, { outcome: 'added', source_id: fact.id, scope_id: fact.scope }),
      );
      return [];
    }
    const sent = await this.#facts.send(session.format, fact);
    if (sent.outcome === 'added') counts.entries += 1;
    counts.add(this.#resultOf(session, item.line, fact.scope, sent));
    return sent.outcome === 'added' ? [fact.scope] : [];
  }

  async #capture(
    session: Session,
    line: number | null,
    scope: string,
    sources: SourceToCapture[],
    isTurn: boolean,
  ): Promise<string[]> {
    const { counts } = this.#options;
    const added: string[] = [];
    if ('omitted_characters' in (sources[0]?.metadata ?? {})) this.#leaveOut(session, 'too_long', line);
    for (const source of sources) {
      counts.tokens += estimateTokens(source.content);
      this.#show({ scope, source_id: source.source_id, content: source.content });
      if (this.#sender === undefined) {
        counts.add(
          this.#result(session, line, { outcome: 'added', source_id: source.source_id, scope_id: scope }),
        );
        continue;
      }
      const sent = await this.#sender.capture(scope, source, isTurn);
      counts.add(this.#resultOf(session, line, scope, sent));
      if (sent.outcome === 'added') added.push(scope);
    }
    return added;
  }

  #isBefore(time: string | null): boolean {
    const { since } = this.#options;
    return since !== null && time !== null && toMs(time) < since;
  }

  #show(sample: Sample): void {
    if (this.#sender === undefined && this.samples.length < maxSamples) this.samples.push(sample);
  }

  #leaveOut(session: Session, reason: LeftOutReason, line: number | null): [] {
    this.#options.counts.add(this.#result(session, line, { outcome: 'left_out', reason }));
    return [];
  }

  #refuse(session: Session, { id, line }: { id: string; line: number | null }, reason: string): [] {
    this.#options.counts.add(this.#result(session, line, { outcome: 'refused', reason, source_id: id }));
    return [];
  }

  #resultOf(
    session: Session,
    line: number | null,
    scope_id: string,
    sent: Awaited<ReturnType<Sender['capture']>>,
  ): Result {
    return this.#result(session, line, {
      outcome: sent.outcome,
      source_id: sent.sourceId,
      scope_id,
      position: 'position' in sent ? sent.position : null,
      reason: 'reason' in sent ? sent.reason : null,
    });
  }

  #result({ path }: Session, line: number | null, result: Partial<Result> & Pick<Result, 'outcome'>): Result {
    const { source_id = null, scope_id = null, position = null, outcome, reason = null } = result;
    return { path, line, source_id, scope_id, position, outcome, reason };
  }

  /** False once the service answers `worker_unavailable`. The import then requests no further flush: each would retry for seconds. */
  #hasWorker = true;

  /** Requests the flush of Scopes, which the service also does by itself, a little later. */
  async #flush(scopes: ReadonlySet<string>, isDone: boolean): Promise<void> {
    const { client, onScope } = this.#options;
    if (client === undefined) return;
    for (const scope of scopes) {
      if (this.#hasWorker)
        await client.enqueue.flushMemory({ scope_id: scope }).catch((error: unknown) => {
          if (error instanceof ServiceError && error.is('worker_unavailable')) this.#hasWorker = false;
        });
      onScope(scope, isDone);
    }
  }
}
