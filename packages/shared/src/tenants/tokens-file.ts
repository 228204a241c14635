import { readFile } from 'node:fs/promises';
import { trimmed } from '@continuity/contract';
import { SettingsError } from '@continuity/kernel/config';
import { z } from 'zod';
import type { ConfiguredToken } from './configured-token.ts';
import { isWeakHash } from './weak-tokens.ts';

const token_sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const tokensFile = z.strictObject({
  tokens: z
    .array(
      z.union([
        z.strictObject({
          tenant: z.string().min(1).max(256),
          label: trimmed(1, 64).optional(),
          token_sha256,
        }),
        z.strictObject({ role: z.literal('operator'), token_sha256 }),
      ]),
    )
    .min(1),
});

/** The tokens of `AUTH_TOKENS_FILE`. Throws `SettingsError`. */
export async function readTokensFile(path: string): Promise<ConfiguredToken[]> {
  const parsed = tokensFile.safeParse(await readJson(path));
  if (!parsed.success) {
    throw new SettingsError(
      'AUTH_TOKENS_FILE must contain {"tokens":[…]} with at least one token, each {"tenant":"…","token_sha256":"…"} with an optional "label" of 1 to 64 characters, or {"role":"operator","token_sha256":"…"}.',
    );
  }
  const { tokens } = parsed.data;
  const weak = tokens.findIndex((token) => isWeakHash(token.token_sha256));
  if (weak !== -1) {
    throw new SettingsError(
      `AUTH_TOKENS_FILE holds the hash of a token that anybody can guess, in tokens[${weak}]. Create a random one with \`npm run token\`.`,
    );
  }
  const labels = tokens.flatMap((token) =>
    'tenant' in token && token.label !== undefined ? [JSON.stringify([token.tenant, token.label])] : [],
  );
  if (new Set(labels).size < labels.length) {
    throw new SettingsError('AUTH_TOKENS_FILE has two tokens of one tenant with the same label.');
  }
  return tokens.map(({ token_sha256: sha256, ...holder }) => ({ sha256, ...holder }));
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new SettingsError('AUTH_TOKENS_FILE is not a readable JSON file.');
  }
}
