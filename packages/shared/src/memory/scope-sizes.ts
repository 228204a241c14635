import { LRUCache } from 'lru-cache';
import { maxWhole } from '../lexical/index.ts';

interface ScopeName {
  tenantId: number;
  scopeId: string;
}

const maxKept = 10_000;

/**
 * How many active entries large Scopes had when this process last searched them. Only saves statements: each one says whether
 * it was the one for the Scope's size.
 */
export class ScopeSizes {
  readonly #large = new LRUCache<string, number>({ max: maxKept });

  /** Few for a Scope that is not known: most are small. */
  of(scope: ScopeName): number {
    return this.#large.get(keyOf(scope)) ?? 0;
  }

  note(scope: ScopeName, entries: number): void {
    if (entries > maxWhole) this.#large.set(keyOf(scope), entries);
    else this.#large.delete(keyOf(scope));
  }
}

function keyOf({ tenantId, scopeId }: ScopeName): string {
  return `${tenantId}\n${scopeId}`;
}
