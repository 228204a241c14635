import { readFile } from 'node:fs/promises';
import { trimmed } from '@continuity/contract';
import { credentialPrefix } from '@continuity/contract/remote-skills';
import { type Settings, SettingsError } from '@continuity/kernel/config';
import { hashHex } from '@continuity/kernel/json';
import { z } from 'zod';

/** A configured token: its SHA-256, and the name of its tenant or the role `operator`. */
export type ConfiguredToken =
  | {
      sha256: string;
      tenant: string;
      /** Names the token to reviewers. Unique in its tenant. */
      label?: string | undefined;
    }
  | { sha256: string; role: 'operator' };

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

/** Tokens that an attacker tries first. The empty one comes from hashing a variable that is not set. */
const weakTokens = [
  '',
  ...(`
    0 1 123 1234 12345 123456 1234567 12345678 123456789 1234567890 a abc abc123 admin administrator bearer change-me
    change_me changeit changeme changemechangeme context continuity default demo dev development dummy example foo foobar
    guest hello iloveyou key letmein local localhost login none null operator pass passw0rd password password1 password123
    passwordpassword placeholder postgres qwerty root s3cr3t sample secret secret-token string super-secret supersecret
    test test-token test1 test123 test2 test3 testing testtoken token token1 token123 token2 undefined user welcome xxx
    your-token your-token-here
  `.match(/\S+/g) ?? []),
];

/** Hashes of the weak tokens, also with the line ends that `echo` adds. */
const weakHashes = new Set(
  weakTokens.flatMap((token) => [token, `${token}\n`, `${token}\r\n`]).map((token) => hashHex(token)),
);

/** Whether a hash is the SHA-256 of a token that anybody can guess. */
export function isWeakHash(hash: string): boolean {
  return weakHashes.has(hash);
}

/** The tenant of a deployment with one token, or with none. */
export const defaultTenant = 'default';

type AuthenticationSettings = Pick<Settings, 'AUTH_TOKEN' | 'AUTH_TOKENS_FILE'>;

/** Whether the settings name a token. If so, every request but the public ones needs one. */
export function isAuthenticationOn({ AUTH_TOKEN, AUTH_TOKENS_FILE }: AuthenticationSettings): boolean {
  return AUTH_TOKEN !== undefined || AUTH_TOKENS_FILE !== undefined;
}

/** The configured tokens; none where authentication is off. Throws `SettingsError`. */
export async function loadTokens({
  AUTH_TOKEN,
  AUTH_TOKENS_FILE,
}: AuthenticationSettings): Promise<ConfiguredToken[]> {
  if (AUTH_TOKEN?.startsWith(credentialPrefix))
    throw new SettingsError(
      `AUTH_TOKEN must not begin with ${credentialPrefix}, as the credentials of remote Skill targets do. Create another one with \`npm run token\`.`,
    );
  const own = AUTH_TOKEN === undefined ? [] : [{ sha256: hashHex(AUTH_TOKEN), tenant: defaultTenant }];
  if (own.some(({ sha256 }) => isWeakHash(sha256)))
    throw new SettingsError(
      'AUTH_TOKEN is a token that anybody can guess. Create a random one with `npm run token`.',
    );
  if (AUTH_TOKENS_FILE === undefined) return own;
  const tokens = [...own, ...(await readTokensFile(AUTH_TOKENS_FILE))];
  if (new Set(tokens.map(({ sha256 }) => sha256)).size < tokens.length)
    throw new SettingsError('AUTH_TOKENS_FILE contains a token twice, or the token of AUTH_TOKEN.');
  return tokens;
}
