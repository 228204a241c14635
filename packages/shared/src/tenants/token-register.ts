import { createHmac, randomBytes } from 'node:crypto';
import type { Actor } from '@continuity/contract/review';
import type { Database, TenantId } from '@continuity/kernel/database';
import { hashHex } from '@continuity/kernel/json';
import type { ConfiguredToken } from './configured-token.ts';
import { ensureTenants } from './ensure-tenant.ts';

/** The holder of a token. An operator can read metrics, but no data of a tenant. */
export type TokenHolder = { role: 'tenant'; tenantId: TenantId; actor: Actor | null } | { role: 'operator' };

/**
 * The tokens that the gateway accepts. A look-up compares keyed hashes that nobody outside this process can predict, so its
 * time reveals nothing about a token.
 */
export class TokenRegister {
  readonly #key = randomBytes(32);
  readonly #holders: ReadonlyMap<string, TokenHolder>;

  /** `tenantIds` has the tenant of each token. */
  constructor(tokens: readonly ConfiguredToken[], tenantIds: ReadonlyMap<string, TenantId>) {
    this.#holders = new Map(tokens.map((token) => [this.#seal(token.sha256), holderOf(token, tenantIds)]));
  }

  /** The holder of a token; undefined for an unknown one. */
  find(token: string): TokenHolder | undefined {
    return this.#holders.get(this.#seal(hashHex(token)));
  }

  #seal(hash: string): string {
    return createHmac('sha256', this.#key).update(hash).digest('base64');
  }
}

/** Looks up the tenants of the tokens, and creates unknown ones. */
export async function loadRegister(
  database: Database,
  tokens: readonly ConfiguredToken[],
): Promise<TokenRegister> {
  const names = new Set(tokens.flatMap((token) => ('tenant' in token ? [token.tenant] : [])));
  return new TokenRegister(tokens, await ensureTenants(database, [...names]));
}

function holderOf(token: ConfiguredToken, tenantIds: ReadonlyMap<string, TenantId>): TokenHolder {
  if ('role' in token) return { role: 'operator' };
  const tenantId = tenantIds.get(token.tenant);
  if (tenantId === undefined) throw new Error('The tenant of a token was not looked up.');
  const { label } = token;
  return { role: 'tenant', tenantId, actor: label === undefined ? null : { label } };
}
