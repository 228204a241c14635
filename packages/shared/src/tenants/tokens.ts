import { credentialPrefix } from '@continuity/contract/remote-skills';
import { type Settings, SettingsError } from '@continuity/kernel/config';
import { hashHex } from '@continuity/kernel/json';
import type { ConfiguredToken } from './configured-token.ts';
import { readTokensFile } from './tokens-file.ts';
import { isWeakHash } from './weak-tokens.ts';

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
