import { createHmac, randomBytes } from 'node:crypto';
import type { Actor } from '@continuity/contract/review';
import type { Settings } from '@continuity/kernel/config';
import type { Database, TenantId } from '@continuity/kernel/database';
import { hashHex } from '@continuity/kernel/json';
import { repeat } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { ensurePlacedTenants, ensureTenants, type PlacedTenant, type TenantsHere } from './ensure-tenant.ts';
import { type ConfiguredToken, loadTokens } from './tokens.ts';

/** The holder of a token. An operator can read metrics, but no data of a tenant. */
export type TokenHolder = { role: 'tenant'; tenantId: TenantId; actor: Actor | null } | { role: 'operator' };

declare const isSealed: unique symbol;

/** A keyed hash of a token, which nobody outside this process can predict: see `sealToken`. */
export type SealedToken = string & { readonly [isSealed]: true };

const sealKey = randomBytes(32);

/** Seals a token for look-ups in the registers of this process. The two hashes take most of the time of a look-up. */
export function sealToken(token: string): SealedToken {
  return sealHash(hashHex(token));
}

function sealHash(sha256: string): SealedToken {
  return createHmac('sha256', sealKey).update(sha256).digest('base64') as SealedToken;
}

/** The tokens that the gateway accepts. A look-up compares sealed tokens, so its time reveals nothing about a token. */
export class TokenRegister<Holder = TokenHolder> {
  readonly #holders: ReadonlyMap<string, Holder>;

  /** `holders` has what each token opens, by the SHA-256 of the token. */
  constructor(holders: readonly (readonly [sha256: string, holder: Holder])[]) {
    this.#holders = new Map(holders.map(([sha256, holder]) => [sealHash(sha256), holder]));
  }

  /** The holder of a token; undefined for an unknown one. */
  find(token: SealedToken): Holder | undefined {
    return this.#holders.get(token);
  }
}

/** Looks up the tenants of the tokens, and creates unknown ones. */
export async function loadRegister(
  database: Database,
  tokens: readonly ConfiguredToken[],
): Promise<TokenRegister> {
  return registerOf(tokens, await ensureTenants(database, tenantNamesOf(tokens)));
}

/** As `loadRegister`, of the tokens whose tenants the directory has on this server. `here` and `stale` as of `ensurePlacedTenants`. */
export async function loadPlacedRegister(
  database: Database,
  tokens: readonly ConfiguredToken[],
  placed: ReadonlyMap<string, PlacedTenant>,
): Promise<TenantsHere & { register: TokenRegister }> {
  const { here, stale } = await ensurePlacedTenants(database, placed);
  const own = tokens.filter((token) => 'role' in token || here.has(token.tenant));
  return { register: registerOf(own, here), here, stale };
}

/** The names of the tenants of tokens. */
export function tenantNamesOf(tokens: readonly ConfiguredToken[]): string[] {
  return [...new Set(tokens.flatMap((token) => ('tenant' in token ? [token.tenant] : [])))];
}

function registerOf(
  tokens: readonly ConfiguredToken[],
  tenantIds: ReadonlyMap<string, TenantId>,
): TokenRegister {
  return new TokenRegister(tokens.map((token) => [token.sha256, holderOf(token, tenantIds)]));
}

function holderOf(token: ConfiguredToken, tenantIds: ReadonlyMap<string, TenantId>): TokenHolder {
  if ('role' in token) return { role: 'operator' };
  const tenantId = tenantIds.get(token.tenant);
  if (tenantId === undefined) throw new Error('The tenant of a token was not looked up.');
  const { label } = token;
  return { role: 'tenant', tenantId, actor: label === undefined ? null : { label } };
}

/** Time between two reads of the tokens file. */
const intervalMs = 10_000;

interface TokenReloaderOptions {
  settings: Settings;
  logger: Logger;
  /** Tokens that the gateway accepts. */
  loaded: readonly ConfiguredToken[];
  /** Makes the gateway accept other tokens. If it rejects, the gateway keeps the old ones. */
  accept: (tokens: readonly ConfiguredToken[]) => Promise<void>;
}

/**
 * Reads `AUTH_TOKENS_FILE` again every 10 s and on SIGHUP, so that a changed file takes effect without a restart. A file that is
 * not valid changes nothing and logs an error.
 */
export class TokenReloader {
  readonly #options: TokenReloaderOptions;
  #loaded: string;
  #failure: string | undefined;
  #round = Promise.resolve();
  readonly #polling = repeat(
    intervalMs,
    () => this.reload(),
    () => undefined,
  );
  readonly #onSignal = () => void this.reload();

  constructor(options: TokenReloaderOptions) {
    this.#options = options;
    this.#loaded = JSON.stringify(options.loaded);
    process.on('SIGHUP', this.#onSignal);
  }

  /** Never rejects: a failure is logged. Concurrent calls run one after the other. */
  reload(): Promise<void> {
    this.#round = this.#round.then(() => this.#reload()).catch((error: unknown) => this.#logFailure(error));
    return this.#round;
  }

  async stop(): Promise<void> {
    process.off('SIGHUP', this.#onSignal);
    await this.#polling.stop();
    await this.#round;
  }

  async #reload(): Promise<void> {
    const { settings, logger, accept } = this.#options;
    const tokens = await loadTokens(settings);
    const loaded = JSON.stringify(tokens);
    if (loaded !== this.#loaded) {
      await accept(tokens);
      this.#loaded = loaded;
      logger.info({ tokens: tokens.length }, 'reloaded the tokens file');
    }
    this.#failure = undefined;
  }

  /** Logs a failure once, not in each round that it lasts. */
  #logFailure(error: unknown): void {
    const failure = String(error);
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#options.logger.error({ err: error }, 'kept the old tokens: the tokens file cannot be loaded');
  }
}
