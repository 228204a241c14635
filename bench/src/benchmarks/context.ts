import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { citeSources, createExperiences } from '../data/experiences.ts';
import { createFilledScopes, vacuumTables } from '../data/fill-scope.ts';
import { pick, type Random, seededRandom } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { makeQuery } from '../data/texts.ts';
import { type HttpResult, latencyOf, send } from '../load/http-load.ts';
import {
  captureRequest,
  explainRequest,
  makeCapture,
  prepareRequest,
  searchRequest,
} from '../load/requests.ts';
import { groupRow, latencyRatio } from '../report/rows.ts';
import { type LoadedService, runOnService } from '../servers/run-on-service.ts';

/** Limit for the latency of a preparation, as a multiple of that of a search for the same words. */
const maxRatio = 1.5;

/** Limit for the latency of an explanation, as a multiple of that of the same preparation (spec 60 §3.2.8). */
const maxExplainRatio = 3;
const manyConnections = 32;

interface Size {
  scopes: number;
  entries: number;
  experiences: number;
}

interface Setup extends LoadedService {
  bench: Bench;
}

export const context: Benchmark = {
  name: 'context',
  summary: 'latency of context preparation and its explanation, compared with a search for the same words',
  run: (bench) => runOnService(bench, {}, (running) => measureSizes({ bench, ...running })),
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
  await vacuumTables(setup.databaseUrl);
  for (const { size, scopeIds } of filled) {
    const { throughputs, findings } = await compare(setup, size, scopeIds, random);
    all.throughputs.push(...throughputs);
    all.findings.push(...findings);
  }
  all.throughputs.push(await measureConcurrent(setup, filled[0]?.scopeIds ?? [], random));
  return all;
}

/** Creates Scopes with entries, Experiences, and a Source for the entries to cite. */
async function fill(setup: Setup, size: Size, random: Random): Promise<string[]> {
  const { bench, load, url } = setup;
  bench.log(`context: filling ${size.scopes} × ${size.entries} entries`);
  const scopeIds = scopeNames(`context-${size.entries}`, size.scopes);
  await createFilledScopes(setup, scopeIds, size.entries, random);
  const captures = scopeIds.map((scopeId) => captureRequest(makeCapture(random, [scopeId])));
  await send(load, [url], captures, { connections: 8 });
  await createExperiences(load, url, scopeIds, size.experiences, random);
  return scopeIds;
}

/** Alternates searches, preparations and explanations over one connection, each turn for the same words in the same Scope. */
async function compare({ bench, load, url }: Setup, size: Size, scopeIds: string[], random: Random) {
  const turns = (count: number) =>
    Array.from({ length: count }, () => {
      const [scopeId, query] = [pick(random, scopeIds), makeQuery(random)];
      return [
        { ...searchRequest(scopeId, query), group: 'search' },
        { ...prepareRequest(scopeId, query), group: 'prepare' },
        { ...explainRequest(scopeId, query), group: 'explain' },
      ];
    }).flat();
  const times = bench.isQuick ? 5 : 1_000;
  bench.log(`context: ${size.entries} entries`);
  await send(load, [url], turns(Math.ceil(times / 4)), { connections: 1 });
  const result = await send(load, [url], turns(times), { connections: 1 });
  const label = `at ${size.entries} entries and ${size.experiences} Experiences`;
  const throughputs = ['search', 'prepare', 'explain'].map((group) =>
    groupRow(`${group}, ${label}`, result, group),
  );
  return { throughputs, findings: findingsOf(label, result) };
}

function findingsOf(label: string, result: HttpResult): Finding[] {
  const medianOf = (group: string) => latencyOf(result, group).p50Ms;
  const prepare = medianOf('prepare');
  return [
    latencyRatio(`prepare / search, ${label}`, medianOf('search'), prepare, maxRatio),
    latencyRatio(`explain / prepare, ${label}`, prepare, medianOf('explain'), maxExplainRatio),
  ];
}

/** Concurrent preparations in one Scope, which all update the same row of counters. */
async function measureConcurrent(
  { bench, load, url }: Setup,
  scopeIds: string[],
  random: Random,
): Promise<Throughput> {
  const [scopeId = ''] = scopeIds;
  const requests = Array.from({ length: bench.isQuick ? 40 : 4_000 }, () =>
    prepareRequest(scopeId, makeQuery(random)),
  );
  bench.log('context: concurrent preparations in one Scope');
  const result = await send(load, [url], requests, { connections: manyConnections });
  const { p50Ms, p99Ms } = latencyOf(result);
  const { perSecond } = result;
  return { name: 'prepare, concurrent in one Scope', connections: manyConnections, perSecond, p50Ms, p99Ms };
}
