import type { TenantId } from '@continuity/kernel/database';

/** Counts the bytes of unread long answers. The share of a tenant is half of the space that the other tenants leave free. */
export class UnreadAnswers {
  readonly #maxBytes: number;
  readonly #bytes = new Map<TenantId, number>();
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the share of the tenant has room for another answer. */
  hasRoom(tenantId: TenantId, bytes: number): boolean {
    const own = this.#bytes.get(tenantId) ?? 0;
    return own + bytes <= (this.#maxBytes - (this.#total - own)) / 2;
  }

  /** Counts an answer until the returned function is called. */
  add(tenantId: TenantId, bytes: number): () => void {
    this.#change(tenantId, bytes);
    return () => this.#change(tenantId, -bytes);
  }

  #change(tenantId: TenantId, bytes: number): void {
    this.#total += bytes;
    const own = (this.#bytes.get(tenantId) ?? 0) + bytes;
    if (own === 0) this.#bytes.delete(tenantId);
    else this.#bytes.set(tenantId, own);
  }
}
