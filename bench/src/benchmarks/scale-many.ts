import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Table } from '../benchmark.ts';
import { vacuumTables } from '../data/fill-scope.ts';
import { fillScopes } from '../data/fill-scopes.ts';
import { pick, seededRandom } from '../data/random.ts';
import { createScopes, scopeNames } from '../data/scopes.ts';
import { makeEntry, makeQuery } from '../data/texts.ts';
import { type HttpLoad, send } from '../load/http-load.ts';
import { entryBytes, rememberRequest, searchRequest } from '../load/requests.ts';
import { operatorToken, tokenOf, writeTokensOf } from '../servers/server-files.ts';
import { type ManyScopes, measureRest, timeRequests } from './many-probes.ts';

/** Scopes of one tenant, or tenants with one Scope each. */
type Kind = 'Scopes' | 'tenants';

/** With the default Scope, one more is too many for the statistics of all Scopes. */
const maxScopes = 9_999;
const maxTenants = 10_000;
const entriesPerScope = 100;
const scopeOfTenant = 'own';

interface Opened extends ManyScopes {
  close(): Promise<void>;
}

/** Compares deployments with few and with many Scopes, and with few and many tenants: a table of each. */
export async function measureMany(bench: Bench, load: HttpLoad): Promise<Table[]> {
  const few = bench.isQuick ? 2 : 100;
  const tables: Table[] = [];
  for (const [kind, most] of [
    ['Scopes', maxScopes],
    ['tenants', maxTenants],
  ] as const)
    tables.push(await compare(bench, load, kind, [few, bench.isQuick ? 4 : most]));
  return tables;
}

async function compare(bench: Bench, load: HttpLoad, kind: Kind, counts: number[]): Promise<Table> {
  const deployments: Opened[] = [];
  try {
    for (const count of counts) {
      bench.log(`scale: filling ${count} ${kind}`);
      const open = kind === 'Scopes' ? openScopes : openTenants;
      deployments.push(await open(bench, load, count));
    }
    const random = seededRandom(83);
    const timed = new Map<ManyScopes, Map<string, string>>();
    for (const deployment of deployments)
      timed.set(deployment, await timeRequests(deployment, random, bench.isQuick ? 2 : 200));
    const columns: Map<string, string>[] = [];
    for (const deployment of deployments) {
      const atRest = await measureRest(deployment, bench.isQuick ? 100 : 30_000, bench.isQuick);
      columns.push(new Map([...(timed.get(deployment) ?? []), ...atRest]));
    }
    const names = [...(columns[0]?.keys() ?? [])];
    const head = ['p50 / p95 in ms', ...counts.map((count) => `${count} ${kind}`)];
    const rows = names.map((name) => [name, ...columns.map((column) => column.get(name) ?? '')]);
    return { head, rows, right: head.slice(1) };
  } finally {
    for (const deployment of deployments) await deployment.close();
  }
}

async function openScopes(
  { servers, stores, isQuick }: Bench,
  load: HttpLoad,
  count: number,
): Promise<Opened> {
  const database = await servers.createDatabase();
  const service = await servers.startSeparate({ databaseUrl: database.url });
  const scopeIds = scopeNames('many', count);
  const heads = await createScopes(load, service.urls[0] ?? '', database.url, scopeIds, seededRandom(89));
  await fillScopes(database.url, heads, isQuick ? 2 : entriesPerScope - 1);
  await vacuumTables(database.url);
  return {
    service,
    databaseUrl: database.url,
    adminUrl: stores.adminUrl,
    pickScope: (random) => ({ scopeId: pick(random, scopeIds) }),
    close: async () => {
      await service.stop();
      await database.drop();
    },
  };
}

/** Each tenant has sent a remember and a search, so that the caches have all of them. */
async function openTenants({ servers, stores }: Bench, load: HttpLoad, count: number): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'));
  const tenants = Array.from({ length: count }, (_, index) => `tenant-${index}`);
  const database = await servers.createDatabase();
  const environment = { AUTH_TOKENS_FILE: await writeTokensOf(folder, 'tokens', tenants) };
  const service = await servers.startSeparate({ databaseUrl: database.url, environment });
  const random = seededRandom(97);
  const requests = tenants.flatMap((tenant) =>
    [
      rememberRequest(scopeOfTenant, makeEntry(random, entryBytes)),
      searchRequest(scopeOfTenant, makeQuery(random)),
    ].map((request) => ({ ...request, token: tokenOf(tenant) })),
  );
  await send(load, service.urls, requests, { connections: 8 });
  await vacuumTables(database.url);
  return {
    service,
    databaseUrl: database.url,
    adminUrl: stores.adminUrl,
    pickScope: (random) => ({ scopeId: scopeOfTenant, token: tokenOf(pick(random, tenants)) }),
    operatorToken,
    close: async () => {
      await service.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
