import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Settings, SettingsError } from '@continuity/shared/kernel';
import { z } from 'zod';

/** The tenant of a deployment with one token, or with none. */
export const defaultTenant = 'default';

/** A configured token by its SHA-256, with the name of its tenant. */
interface TokenHash {
  sha256: string;
  tenant: string;
}

const tokensFile = z.strictObject({
  tokens: z
    .array(
      z.strictObject({
        tenant: z.string().min(1).max(256),
        token_sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .min(1),
});

/** Loads the hashes of the configured tokens; none if authentication is off. Throws `SettingsError`. */
export async function loadTokenHashes(settings: Settings): Promise<TokenHash[]> {
  const hashes: TokenHash[] = [];
  if (settings.AUTH_TOKEN !== undefined)
    hashes.push({ sha256: sha256(settings.AUTH_TOKEN), tenant: defaultTenant });
  if (settings.AUTH_TOKENS_FILE !== undefined)
    hashes.push(...(await readTokensFile(settings.AUTH_TOKENS_FILE)));
  const names = new Map(hashes.map((hash) => [hash.sha256, hash.tenant]));
  if (names.size < hashes.length)
    throw new SettingsError('AUTH_TOKENS_FILE contains a token twice, or the token of AUTH_TOKEN.');
  return hashes;
}

/**
 * Finds the tenant of a token. It compares keyed hashes that nobody outside this process can predict, so that the time of a
 * look-up reveals nothing about a token.
 */
export class TokenRegister {
  readonly #key = randomBytes(32);
  readonly #tenants: Map<string, number>;

  constructor(hashes: { sha256: string; tenantId: number }[]) {
    this.#tenants = new Map(hashes.map(({ sha256: hash, tenantId }) => [this.#keyedHash(hash), tenantId]));
  }

  /** The id of the tenant; undefined for an unknown token. */
  tenantOf(token: string): number | undefined {
    return this.#tenants.get(this.#keyedHash(sha256(token)));
  }

  #keyedHash(hash: string): string {
    return createHmac('sha256', this.#key).update(hash).digest('base64');
  }
}

async function readTokensFile(path: string): Promise<TokenHash[]> {
  const parsed = tokensFile.safeParse(await readJson(path));
  if (!parsed.success) {
    throw new SettingsError('AUTH_TOKENS_FILE must contain {"tokens":[{"tenant":"…","token_sha256":"…"}]}.');
  }
  return parsed.data.tokens.map(({ tenant, token_sha256 }) => ({ tenant, sha256: token_sha256 }));
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new SettingsError('AUTH_TOKENS_FILE is not a readable JSON file.');
  }
}

function sha256(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
