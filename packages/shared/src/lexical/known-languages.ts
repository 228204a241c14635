import { LRUCache } from 'lru-cache';
import { anyLanguage } from './key-languages.ts';
import type { TermSpace } from './projection.ts';

const maxKept = 10_000;

/**
 * Which languages texts had when this process last searched them. Only saves stemming: a search that was made for too few
 * languages says so, and is made again.
 */
export class KnownLanguages {
  readonly #ofScope = new LRUCache<string, number>({ max: maxKept });
  readonly #ofTenant = new LRUCache<string, number>({ max: maxKept });

  /** As `languagesOf` has them. A Scope that is not known is taken for one like the others of its tenant. */
  of(space: TermSpace): number {
    return this.#ofScope.get(scopeOf(space)) ?? this.#ofTenant.get(tenantOf(space)) ?? anyLanguage;
  }

  note(space: TermSpace, languages: number): void {
    this.#ofScope.set(scopeOf(space), languages);
    const others = this.#ofTenant.get(tenantOf(space)) ?? 0;
    this.#ofTenant.set(tenantOf(space), others | languages);
  }
}

/** Whether a search for words in some languages finds whatever there is in others. */
export function coversLanguages(searched: number, languages: number): boolean {
  return (languages & ~searched) === 0;
}

function scopeOf(space: TermSpace): string {
  return `${tenantOf(space)}\n${space.scopeId}`;
}

function tenantOf({ tenantId, kind }: TermSpace): string {
  return `${tenantId}\n${kind ?? ''}`;
}
