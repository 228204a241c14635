import { createHash } from 'node:crypto';
import { maxIdVersions, type SourceToCapture, versionedId } from '@continuity/contract/turns';
import type { Client } from '../client.ts';
import { ServiceError } from '../errors.ts';
import type { ImportState } from './state.ts';

/** What the service answered to one text. */
export type Sent =
  | { outcome: 'added' | 'already'; sourceId: string; position: number }
  | { outcome: 'left_out'; reason: 'erased'; sourceId: string }
  | { outcome: 'refused'; reason: string; sourceId: string };

/** A 409 of a Source: what is stored under the id. */
export interface Conflict {
  position: number;
  contentDigest: string;
}

/** Captures Sources, and tells what was there before. Throws for a service that is not there, a token and a quota. */
export class Sender {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly #state: ImportState;
  readonly #marks = new Map<string, Promise<number>>();

  constructor(client: Client, state: ImportState, signal: AbortSignal) {
    this.client = client;
    this.#state = state;
    this.signal = signal;
  }

  /**
   * Captures a text. In an import each 409 of a turn is a repeat; another text under a used id gets the next id (spec 70 §2.2).
   */
  async capture(scope: string, source: SourceToCapture, isTurn: boolean): Promise<Sent> {
    const { content, metadata, occurred_at } = source;
    const digest = digestOf(JSON.stringify(content));
    await this.markOf(scope);
    return await this.tryIds(scope, source.source_id, async (source_id) => {
      try {
        const request = { scope_id: scope, source_id, content, metadata, occurred_at };
        return (await this.client.captureContentSource(request, { signal: this.signal })).position;
      } catch (error) {
        const conflict = conflictOf(error);
        return conflict !== undefined && (isTurn || conflict.contentDigest === digest)
          ? conflict.position
          : Promise.reject(error);
      }
    });
  }

  /** Sends under an id, and under the next ones as long as other content is stored there. */
  async tryIds(scope: string, id: string, send: (id: string) => Promise<number>): Promise<Sent> {
    for (let number = 1; ; number += 1) {
      const sourceId = await versionedId(id, number);
      try {
        const position = await send(sourceId);
        const outcome = position > (await this.markOf(scope)) ? 'added' : 'already';
        return { outcome, sourceId, position };
      } catch (error) {
        if (reasonOf(error) === 'erased') return { outcome: 'left_out', reason: 'erased', sourceId };
        if (conflictOf(error) === undefined || number === maxIdVersions) return refusedBy(error, sourceId);
      }
    }
  }

  /** The number of Sources that a Scope had before this run wrote into it (spec 70 §3.4). */
  markOf(scope: string): Promise<number> {
    const known = this.#marks.get(scope);
    if (known !== undefined) return known;
    const mark = this.#readMark(scope);
    this.#marks.set(scope, mark);
    return mark;
  }

  async #readMark(scope: string): Promise<number> {
    const kept = this.#state.markOf(scope);
    if (kept !== undefined) return kept;
    const total = await this.#countSources(scope);
    this.#state.setMark(scope, total);
    return total;
  }

  async #countSources(scope: string): Promise<number> {
    try {
      const selection = { mode: 'exact' as const, scope_ids: [scope] };
      return (await this.client.getStats({ selection }, { signal: this.signal })).inventory.sources.total;
    } catch (error) {
      if (error instanceof ServiceError && error.is('scope_not_found')) return 0;
      throw error;
    }
  }
}

/** Why the service refused an item. Throws an error that is not about the item. */
function refusedBy(error: unknown, sourceId: string): Sent {
  if (!(error instanceof ServiceError) || ![404, 409, 410, 413, 422].includes(error.status)) throw error;
  return { outcome: 'refused', reason: error.message, sourceId };
}

/** What is stored under the id of a refused Source; undefined for another error. */
export function conflictOf(error: unknown): Conflict | undefined {
  const { current } = detailsOf(error) as { current?: { position?: number; content_digest?: string } };
  if (!(error instanceof ServiceError) || error.code !== 'source_conflict') return undefined;
  return current?.position === undefined
    ? undefined
    : { position: current.position, contentDigest: current.content_digest ?? '' };
}

function reasonOf(error: unknown): unknown {
  return (detailsOf(error) as { reason?: unknown }).reason;
}

function detailsOf(error: unknown): object {
  return error instanceof ServiceError && typeof error.details === 'object' && error.details !== null
    ? error.details
    : {};
}

/** The contract's digest of canonical JSON. */
export function digestOf(canonical: string): string {
  return `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
}
