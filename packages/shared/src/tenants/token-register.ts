import { createHmac, randomBytes } from 'node:crypto';
import type { Actor } from '@continuity/contract/review';
import type { Database, TenantId } from '@continuity/kernel/database';
import { hashHex } from '@continuity/kernel/json';
import type { ConfiguredToken } from './configured-token.ts';
import { ensureTenant } from './ensure-tenant.ts';

/** The holder of a token. An operator can read metrics, but no data of a tenant. */
export type TokenHolder = { role: 'tenant'; tenantId: TenantId; actor: Actor | null } | { role: 'operator' };

/**
 * The tokens that the gateway accepts. A look-up compares keyed hashes that nobody outside this process can predict, so its
 * time reveals nothing about a token.
 */
export class TokenRegister {
  readonly #key = randomBytes(32);
  #holders = new Map<string, TokenHolder>();

  /** Replaces all accepted tokens, and creates their tenants. On an error, the register keeps the old tokens. */
  async replace(database: Database, tokens: readonly ConfiguredToken[]): Promise<void> {
    const holders = new Map<string, TokenHolder>();
    for (const token of tokens) holders.set(this.#seal(token.sha256), await holderOf(database, token));
    this.#holders = holders;
  }

  /** The holder of a token; undefined for an unknown one. */
  find(token: string): TokenHolder | undefined {
    return this.#holders.get(this.#seal(hashHex(token)));
  }

  #seal(hash: string): string {
    return createHmac('sha256', this.#key).update(hash).digest('base64');
  }
}

async function holderOf(database: Database, token: ConfiguredToken): Promise<TokenHolder> {
  if ('role' in token) return { role: 'operator' };
  const { tenant, label } = token;
  const actor = label === undefined ? null : { label };
  return { role: 'tenant', tenantId: await ensureTenant(database, tenant), actor };
}
