import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimServer } from '@continuity/kernel/database';

/** The token of a tenant in the file of `writeTokensOf`. */
export const tokenOf = (tenant: string): string => `token-of-${tenant}-0123456789`;

/** The token of the role `operator`. */
export const operatorToken = tokenOf('operator');

/** Writes a file of tokens of the tenants and of the operator for AUTH_TOKENS_FILE. Returns its path. */
export async function writeTokensOf(
  folder: string,
  name: string,
  tenants: readonly string[],
): Promise<string> {
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
  const ofTenants = tenants.map((tenant) => ({ tenant, token_sha256: hashOf(tokenOf(tenant)) }));
  const tokens = [...ofTenants, { role: 'operator', token_sha256: hashOf(operatorToken) }];
  return await writeJson(join(folder, `${name}.json`), { tokens });
}

/** Names the databases and writes a file for DATABASE_SERVERS_FILE. Returns its path. */
export async function writeServersOf(
  folder: string,
  name: string,
  databases: readonly { url: string; tenants: string[] }[],
): Promise<string> {
  const servers = databases.map((database, server) => ({ name: `server-${server}`, ...database }));
  for (const { name: server, url } of servers)
    await claimServer(url, { name: server, directory: 'server-0' });
  return await writeJson(join(folder, `${name}.json`), { servers });
}

async function writeJson(path: string, value: unknown): Promise<string> {
  await writeFile(path, JSON.stringify(value));
  return path;
}
