import { LRUCache } from 'lru-cache';
import { anyLanguage } from './key-languages.ts';
import type { TermSpace } from './projection.ts';

const maxKept = 10_000;

/**
 * Which languages texts had when this process last searched them. Only saves stemming: a search that was made for too few
 * languages says so, and is made again.
 */
export class KnownLanguages {
  readonly #languages = new LRUCache<string, number>({ max: maxKept });

  /** As `languagesOf` has them; all of them where nothing is known. */
  of(space: TermSpace): number {
    return this.#languages.get(keyOf(space)) ?? anyLanguage;
  }

  note(space: TermSpace, languages: number): void {
    this.#languages.set(keyOf(space), languages);
  }
}

/** Whether a search for words in some languages finds whatever there is in others. */
export function coversLanguages(searched: number, languages: number): boolean {
  return (languages & ~searched) === 0;
}

function keyOf({ tenantId, scopeId, kind }: TermSpace): string {
  return `${tenantId}\n${kind ?? ''}\n${scopeId}`;
}
