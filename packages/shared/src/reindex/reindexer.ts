import type { Database } from '@continuity/kernel/database';
import type { Logger } from '@continuity/kernel/telemetry';
import {
  type ClaimedCorpus,
  claimCorpus,
  findStaleCorpora,
  finishCorpus,
  type Position,
  releaseCorpus,
  type StaleCorpus,
} from './claims.ts';
import { type DocumentProjectors, reindexDocument } from './documents.ts';
import { reindexEntries } from './memory-entries.ts';
import { placeEntries } from './places.ts';
import { quantizeVectors } from './vectors.ts';

/** Pause between two rounds, in milliseconds. With the limit of a round, requests keep at least half of the time. */
export const reindexPauseMs = 1_000;

/** Time limit of a round, and of a corpus in it, in milliseconds. The next corpus gets its turn, however large the last one is. */
const roundMs = 1_000;
const corpusMs = 500;

/** Pause after a pass that has found nothing, in milliseconds. Processes of an older release may go on writing. */
const restMs = 600_000;

interface ReindexDeps {
  database: Database;
  logger: Logger;
  families: DocumentProjectors;
}

/**
 * Brings what an older release has stored up to date, in the background: analyzes texts again, because search does not find all words in
 * their old terms, gives entries their places, and quantizes vectors. Each batch commits by itself and saves its position, so a kill repeats one batch at
 * most. Several processes share the work.
 */
export class Reindexer {
  readonly #deps: ReindexDeps;
  #after: StaleCorpus | null = null;
  #found: StaleCorpus[] = [];
  #hasFound = false;
  #restUntil = 0;

  constructor(deps: ReindexDeps) {
    this.#deps = deps;
  }

  /** Works for about a second, or until nothing is left. Resolves to whether something may be left. */
  async round(): Promise<boolean> {
    const end = performance.now() + roundMs;
    if (performance.now() < this.#restUntil) return false;
    while (performance.now() < end) {
      const next = await this.#next();
      if (next === undefined) return this.#endPass();
      await this.#work(next);
    }
    return true;
  }

  async #next(): Promise<StaleCorpus | undefined> {
    if (this.#found.length === 0) {
      this.#found = await findStaleCorpora(this.#deps.database.sql, this.#after);
      this.#after = this.#found.at(-1) ?? null;
    }
    return this.#found.shift();
  }

  /** A pass may have left parts of large corpora. Only a pass without any ends the work. */
  #endPass(): boolean {
    const hadWork = this.#hasFound;
    this.#hasFound = false;
    if (!hadWork) this.#restUntil = performance.now() + restMs;
    return hadWork;
  }

  async #work(stale: StaleCorpus): Promise<void> {
    const { sql } = this.#deps.database;
    const claimed = await claimCorpus(sql, stale);
    if (claimed === undefined) return;
    this.#hasFound = true;
    try {
      if (await this.#reindex(claimed)) await finishCorpus(sql, claimed);
      else await releaseCorpus(sql, claimed);
    } catch (error) {
      // The claim ends by itself: the corpus is tried again in a minute, and the others meanwhile.
      const fields = { err: error, tenant_id: stale.tenantId, scope_key: stale.scopeKey };
      this.#deps.logger.warn(fields, 'a Scope could not be brought up to date for search');
    }
  }

  /** Resolves to whether the corpus is done. */
  async #reindex(claimed: ClaimedCorpus): Promise<boolean> {
    const { database, families } = this.#deps;
    const end = performance.now() + corpusMs;
    for (let after: Position | null = claimed.after; performance.now() < end; ) {
      after = await workOnBatch({ database, families }, { ...claimed, after });
      if (after === null) return true;
    }
    return false;
  }
}

/** The position after a batch; null after the last one. */
async function workOnBatch(
  { database, families }: Pick<ReindexDeps, 'database' | 'families'>,
  claimed: ClaimedCorpus,
): Promise<Position | null> {
  const { corpus } = claimed;
  if (corpus === 'memory') return await reindexEntries(database, claimed);
  if (corpus === 'memory_vectors') return await quantizeVectors(database, claimed);
  if (corpus === 'memory_places') return await placeEntries(database, claimed);
  return await reindexDocument(database, families, { ...claimed, corpus });
}
