import pg from 'pg';
import { type HttpLoad, send } from '../load/http-load.ts';
import type { ScopeHead } from '../load/record-remember.ts';
import { entryBytes, rememberRequest } from '../load/requests.ts';
import type { Random } from './random.ts';
import { makeEntry } from './texts.ts';

/** `count` Scope ids that begin with `name`. */
export function scopeNames(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index}`);
}

/** Creates Scopes with one entry each. Returns the heads of their Memories. */
export async function createScopes(
  load: HttpLoad,
  url: string,
  databaseUrl: string,
  scopeIds: string[],
  random: Random,
): Promise<ScopeHead[]> {
  const requests = scopeIds.map((scopeId) => rememberRequest(scopeId, makeEntry(random, entryBytes)));
  await send(load, [url], requests, { connections: 8 });
  return await readHeads(databaseUrl, scopeIds);
}

/** Reads the heads of the Memories, in the order of `scopeIds`. */
export async function readHeads(databaseUrl: string, scopeIds: string[]): Promise<ScopeHead[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ scope_id: string; key: ScopeHead }>(
      `SELECT c.scope_id, json_build_object('tenantId', c.tenant_id, 'scopeId', c.scope_id, 'scopeKey', c.scope_key,
         'artifactKey', a.artifact_key, 'headRevision', a.head_revision) AS key
       FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) WHERE c.scope_id = ANY ($1)`,
      [scopeIds],
    );
    const heads = new Map(rows.map(({ scope_id, key }) => [scope_id, key]));
    return scopeIds.map((scopeId) => {
      const head = heads.get(scopeId);
      if (head === undefined) throw new Error(`${scopeId} has no Memory.`);
      return head;
    });
  } finally {
    await client.end();
  }
}
