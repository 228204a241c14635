import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpOnExit } from '@continuity/testing/servers';

/** Bearer tokens by tenant. */
type Tokens<Name extends string> = Record<Name, string>;

/** Makes a token for each tenant, and their file for AUTH_TOKENS_FILE. */
export async function makeTenants<Name extends string>(
  names: readonly Name[],
): Promise<{ tokens: Tokens<Name>; file: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'continuity-bench-tokens-'));
  cleanUpOnExit({ directory });
  const tokens = Object.fromEntries(
    names.map((name) => [name, randomBytes(32).toString('base64url')]),
  ) as Tokens<Name>;
  const hashed = names.map((tenant) => ({
    tenant,
    token_sha256: createHash('sha256').update(tokens[tenant]).digest('hex'),
  }));
  const file = join(directory, 'tokens.json');
  await writeFile(file, JSON.stringify({ tokens: hashed }));
  return { tokens, file };
}
