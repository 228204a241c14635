import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { citeSources, makeExperiences } from '../data/experiences.ts';
import { fillScope, settleTables } from '../data/fill.ts';
import { pick, type Random, seededRandom } from '../data/random.ts';
import { makeScopes, scopeNames } from '../data/scopes.ts';
import { makeQuery } from '../data/texts.ts';
import { type HttpLoad, type HttpResult, latencyOf, send, startHttpLoad } from '../load/http.ts';
import { captureRequest, makeCapture, prepareRequest, searchRequest } from '../load/requests.ts';
import { startSeparate } from '../servers/service.ts';
import { createOwnDatabase } from '../servers/stores.ts';

/** How much longer a preparation may take than a search for the same words. */
const mostTimes = 1.5;
const manyConnections = 32;

interface Size {
  scopes: number;
  entries: number;
  experiences: number;
}

interface Setup {
  bench: Bench;
  load: HttpLoad;
  url: string;
  databaseUrl: string;
}

export const context: Benchmark = {
  name: 'context',
  summary: 'what a preparation of context costs, by a search for the same words',
  run: async (bench) => {
    const { stores } = bench;
    const database = await createOwnDatabase(stores);
    const service = await startSeparate({ databaseUrl: database.url, redisUrl: stores.redisUrl });
    const load = startHttpLoad();
    try {
      const [url = ''] = service.urls;
      return await measureSizes({ bench, load, url, databaseUrl: database.url });
    } finally {
      await load.close();
      await service.stop();
      await database.drop();
    }
  },
};

function sizesFor({ isQuick }: Bench): Size[] {
  if (isQuick) return [{ scopes: 2, entries: 10, experiences: 2 }];
  return [
    { scopes: 20, entries: 100, experiences: 10 },
    { scopes: 1, entries: 10_000, experiences: 100 },
  ];
}

async function measureSizes(setup: Setup): Promise<Outcome> {
  const all: Outcome = { throughputs: [], findings: [] };
  const random = seededRandom(61);
  const filled: { size: Size; scopeIds: string[] }[] = [];
  for (const size of sizesFor(setup.bench)) {
    filled.push({ size, scopeIds: await fill(setup, size, random) });
  }
  await citeSources(setup.databaseUrl);
  await settleTables(setup.databaseUrl);
  for (const { size, scopeIds } of filled) {
    const { throughputs, findings } = await compare(setup, size, scopeIds, random);
    all.throughputs.push(...throughputs);
    all.findings.push(...findings);
  }
  all.throughputs.push(await crowd(setup, filled[0]?.scopeIds ?? [], random));
  return all;
}

/** Scopes with entries, Experiences, and a Source that the entries are from. */
async function fill({ bench, load, url, databaseUrl }: Setup, size: Size, random: Random): Promise<string[]> {
  bench.say(`context: filling ${size.scopes} × ${size.entries} entries`);
  const scopeIds = scopeNames(`context-${size.entries}`, size.scopes);
  for (const head of await makeScopes(load, url, databaseUrl, scopeIds, random)) {
    await fillScope(databaseUrl, head, size.entries - 1, random);
  }
  const captures = scopeIds.map((scopeId) => captureRequest(makeCapture(random, [scopeId])));
  await send(load, [url], captures, { connections: 8 });
  await makeExperiences(load, url, scopeIds, size.experiences, random);
  return scopeIds;
}

/** Search and preparation turn by turn over one connection, each pair for the same words in the same Scope. */
async function compare({ bench, load, url }: Setup, size: Size, scopeIds: string[], random: Random) {
  const turns = (count: number) =>
    Array.from({ length: count }, () => {
      const [scopeId, query] = [pick(random, scopeIds), makeQuery(random)];
      return [
        { ...searchRequest(scopeId, query), group: 'search' },
        { ...prepareRequest(scopeId, query), group: 'prepare' },
      ];
    }).flat();
  const times = bench.isQuick ? 5 : 1_000;
  bench.say(`context: ${size.entries} entries`);
  await send(load, [url], turns(Math.ceil(times / 4)), { connections: 1 });
  const result = await send(load, [url], turns(times), { connections: 1 });
  const of = `at ${size.entries} entries and ${size.experiences} Experiences`;
  const throughputs = ['search', 'prepare'].map((group) => rowOf(`${group}, ${of}`, group, result));
  return { throughputs, findings: [findingOf(of, result)] };
}

function rowOf(what: string, group: string, result: HttpResult): Throughput {
  const { p50Ms, p99Ms, meanMs } = latencyOf(result, group);
  return { what, connections: 1, perSecond: 1_000 / meanMs, p50Ms, p99Ms };
}

function findingOf(of: string, result: HttpResult): Finding {
  const [search, prepare] = [latencyOf(result, 'search').p50Ms, latencyOf(result, 'prepare').p50Ms];
  return {
    what: `prepare, ${of}: time by that of search`,
    value: prepare / search,
    unit: '×',
    bar: { kind: 'at most', limit: mostTimes },
    note: `medians, ${search.toFixed(2)} and ${prepare.toFixed(2)} ms`,
  };
}

/** Many that prepare in one Scope at once, and so add to one row of counters. */
async function crowd({ bench, load, url }: Setup, scopeIds: string[], random: Random): Promise<Throughput> {
  const [scopeId = ''] = scopeIds;
  const requests = Array.from({ length: bench.isQuick ? 40 : 4_000 }, () =>
    prepareRequest(scopeId, makeQuery(random)),
  );
  bench.say('context: many in one Scope');
  const result = await send(load, [url], requests, { connections: manyConnections });
  const { p50Ms, p99Ms } = latencyOf(result);
  const { perSecond } = result;
  return { what: 'prepare, all in one Scope', connections: manyConnections, perSecond, p50Ms, p99Ms };
}
