import { LRUCache } from 'lru-cache';

interface ScopeName {
  tenantId: number;
  scopeId: string;
}

const maxKept = 10_000;

/**
 * Which Scopes were large when this process last searched them. Only saves statements: each one says whether it was the one
 * for the Scope's size.
 */
export class ScopeSizes {
  readonly #large = new LRUCache<string, true>({ max: maxKept });

  /** False for a Scope that is not known: most are small. */
  isLarge(scope: ScopeName): boolean {
    return this.#large.get(keyOf(scope)) === true;
  }

  note(scope: ScopeName, isLarge: boolean): void {
    if (isLarge) this.#large.set(keyOf(scope), true);
    else this.#large.delete(keyOf(scope));
  }
}

function keyOf({ tenantId, scopeId }: ScopeName): string {
  return `${tenantId}\n${scopeId}`;
}
