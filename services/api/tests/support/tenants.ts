import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, clientFor } from '@continuity/testing';

export const tokenOf = (tenant: string): string => `token-of-${tenant}-0123456789`;

/** Writes a file of hashed tokens, one per tenant and one of the operator, for AUTH_TOKENS_FILE. Returns its path. */
export async function writeTokens(...tenants: string[]): Promise<string> {
  return writeTokensFile(tokensFor(...tenants));
}

/** Content of a tokens file: one token per tenant, and one of the role `operator` (`tokenOf('operator')`). */
export function tokensFor(...tenants: string[]): string {
  const hashOf = (name: string) => createHash('sha256').update(tokenOf(name)).digest('hex');
  const tokens = [
    ...tenants.map((tenant) => ({ tenant, token_sha256: hashOf(tenant) })),
    { role: 'operator', token_sha256: hashOf('operator') },
  ];
  return JSON.stringify({ tokens });
}

/** Writes a token file with any content. Returns its path. */
export async function writeTokensFile(content: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'continuity-tokens-')), 'tokens.json');
  await writeFile(path, content);
  return path;
}

/** Returns a client that sends the token of a tenant. */
export function clientOf(url: string, tenant: string): Client {
  return clientFor(url, { authorization: `Bearer ${tokenOf(tenant)}` });
}
