import { LRUCache } from 'lru-cache';
import { anyLanguage } from '../analyze/language-mask.ts';
import type { CorpusId } from '../index/projection.ts';

const maxCorpora = 10_000;

/** Decides which statement searches a corpus, and in which languages it looks words up. */
export interface CorpusFacts {
  /** Texts that a search can find. */
  total: number;
  /** As `languagesOf` gives them. */
  languages: number;
}

/** A corpus that this process has not searched: most are small. */
const unknown: CorpusFacts = { total: 0, languages: anyLanguage };

/**
 * Size and languages of the corpora that this process searched last. A stale value costs one more statement and
 * never changes an answer, because each statement returns the facts of its own snapshot.
 */
export class CorpusCache {
  readonly #facts = new LRUCache<string, CorpusFacts>({ max: maxCorpora });

  get(corpus: CorpusId): CorpusFacts {
    return this.#facts.get(keyOf(corpus)) ?? unknown;
  }

  set(corpus: CorpusId, facts: CorpusFacts): void {
    this.#facts.set(keyOf(corpus), facts);
  }
}

function keyOf({ tenantId, scopeId, kind }: CorpusId): string {
  return `${tenantId}\n${kind ?? ''}\n${scopeId}`;
}
