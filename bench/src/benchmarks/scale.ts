import type { MemoryCitation } from '@continuity/contract';
import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { readCitations } from '../data/citations.ts';
import { vacuumTables } from '../data/fill-scope.ts';
import { fillScopes } from '../data/fill-scopes.ts';
import { pick, type Random, seededRandom } from '../data/random.ts';
import { createScopes, scopeNames } from '../data/scopes.ts';
import { makeQuery } from '../data/texts.ts';
import { type HttpLoad, type HttpResult, latencyOf, send } from '../load/http-load.ts';
import { getRequest, searchRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { latencyRatio } from '../report/rows.ts';
import type { Service } from '../servers/service.ts';
import { measureMany } from './scale-many.ts';

interface FilledScope {
  scopeId: string;
  citations: MemoryCitation[];
}

/** A database with Scopes of one size, and a service on it. */
interface Deployment {
  name: string;
  service: Service;
  scopes: FilledScope[];
  close(): Promise<void>;
}

interface Size {
  scopes: number;
  entries: number;
}

/** Median latencies of one deployment, in milliseconds. */
interface Times {
  get: number;
  search: number;
}

const maxSearchByGet = 4;
/** Allows for the variation between two equal measurements. */
const maxManyByOne = 1.2;

const rounds = 5;

/** Warm-up reads and searches of each deployment: ten of each in each of 1,000 Scopes. */
const warmUpTurns = 10_000;

export const scale: Benchmark = {
  name: 'scale',
  summary: 'latency of search / read by primary key: 100,000 entries in one Scope, and 1,000 Scopes of 1,000',
  run: async (bench) => {
    const load = bench.servers.startLoad();
    try {
      const tables = bench.isQuick || bench.isLarge ? await measureMany(bench, load) : [];
      if (bench.isLarge) return { throughputs: [], findings: [], tables };
      const [large, many, one] = sizesFor(bench);
      const single = await measureDeployments(bench, load, [large]);
      const several = await measureDeployments(bench, load, [many, one]);
      return { ...join([single, several, compare(many, one, several.times)]), tables };
    } finally {
      await load.close();
    }
  },
};

function sizesFor({ isQuick }: Bench): [large: Size, many: Size, one: Size] {
  return isQuick
    ? [
        { scopes: 1, entries: 40 },
        { scopes: 5, entries: 20 },
        { scopes: 1, entries: 20 },
      ]
    : [
        { scopes: 1, entries: 100_000 },
        { scopes: 1_000, entries: 1_000 },
        { scopes: 1, entries: 1_000 },
      ];
}

interface Measured extends Outcome {
  times: Map<string, Times>;
}

/** Alternates between all deployments over one connection, so that other load on the machine affects all of them alike. */
async function measureDeployments(bench: Bench, load: HttpLoad, sizes: Size[]): Promise<Measured> {
  const deployments: Deployment[] = [];
  try {
    for (const size of sizes) deployments.push(await createDeployment(bench, load, size));
    const random = seededRandom(73);
    const turns = bench.isQuick ? 3 : 60;
    const warmUp = bench.isQuick ? turns : warmUpTurns;
    for (const deployment of deployments)
      await loadDeployment(load, deployment, random, cycle(deployment.scopes, warmUp));
    const results = new Map<string, HttpResult[]>();
    for (let round = 0; round < (bench.isQuick ? 1 : rounds); round += 1) {
      for (const deployment of deployments) {
        const result = await loadDeployment(
          load,
          deployment,
          random,
          sample(deployment.scopes, turns, random),
        );
        results.set(deployment.name, [...(results.get(deployment.name) ?? []), result]);
      }
    }
    const measured = [...results].map(([name, ofDeployment]) => describe(name, ofDeployment));
    return {
      throughputs: measured.flatMap(({ throughputs }) => throughputs),
      findings: measured.map(({ finding }) => finding),
      times: new Map(measured.map(({ name, times }) => [name, times])),
    };
  } finally {
    for (const deployment of deployments) await deployment.close();
  }
}

async function createDeployment({ servers, log }: Bench, load: HttpLoad, size: Size): Promise<Deployment> {
  const name = nameOf(size);
  const database = await servers.createDatabase();
  const service = await servers.startSeparate({ databaseUrl: database.url });
  const close = async () => {
    await service.stop();
    await database.drop();
  };
  try {
    log(`scale: filling ${name}`);
    const random = seededRandom(79);
    const scopeIds = scopeNames(name, size.scopes);
    const heads = await createScopes(load, service.urls[0] ?? '', database.url, scopeIds, random);
    await fillScopes(database.url, heads, size.entries - 1);
    await vacuumTables(database.url);
    return { name, service, scopes: await readCitations(database.url, scopeIds), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function nameOf({ scopes, entries }: Size): string {
  return `${scopes} Scope(s) of ${entries} entries`;
}

/** Cycles through the Scopes. */
function cycle(scopes: FilledScope[], count: number): FilledScope[] {
  return Array.from({ length: Math.ceil(count / scopes.length) }, () => scopes)
    .flat()
    .slice(0, count);
}

function sample(scopes: FilledScope[], count: number, random: Random): FilledScope[] {
  return Array.from({ length: count }, () => pick(random, scopes));
}

/** Alternates a search in each Scope with a read by primary key in a random one. */
async function loadDeployment(
  load: HttpLoad,
  { service }: Deployment,
  random: Random,
  scopes: FilledScope[],
): Promise<HttpResult> {
  const requests = scopes.map(({ scopeId }) => {
    const other = pick(random, scopes);
    return [
      { ...searchRequest(scopeId, makeQuery(random)), group: 'search' },
      { ...getRequest(other.scopeId, pick(random, other.citations)), group: 'get' },
    ];
  });
  return await send(load, service.urls, requests.flat(), { connections: 1 });
}

function describe(name: string, results: HttpResult[]) {
  const times = { get: medianOf(results, 'get'), search: medianOf(results, 'search') };
  const rowOf = (group: keyof Times): Throughput => ({
    name: `${group}, ${name}`,
    connections: 1,
    perSecond: 1_000 / median(results.map((result) => latencyOf(result, group).meanMs)),
    p50Ms: times[group],
    p99Ms: median(results.map((result) => latencyOf(result, group).p99Ms)),
  });
  const finding = latencyRatio(`search / get, ${name}`, times.get, times.search, maxSearchByGet);
  return { name, times, throughputs: [rowOf('get'), rowOf('search')], finding };
}

function medianOf(results: HttpResult[], group: keyof Times): number {
  return median(results.map((result) => latencyOf(result, group).p50Ms));
}

/**
 * Compares a search among many Scopes with one in a database with a single Scope, and the same in units of a read: reads from the
 * larger database are slower as well.
 */
function compare(many: Size, one: Size, times: ReadonlyMap<string, Times>): Outcome {
  const [among, alone] = [times.get(nameOf(many)), times.get(nameOf(one))];
  if (among === undefined || alone === undefined) throw new Error('Not every deployment was measured.');
  const names = `${nameOf(many)} / ${nameOf(one)}`;
  const findings: Finding[] = [
    latencyRatio(`search: ${names}`, alone.search, among.search, maxManyByOne),
    {
      name: `search / get: ${names}`,
      value: among.search / among.get / (alone.search / alone.get),
      unit: '×',
    },
  ];
  return { throughputs: [], findings };
}

function join(outcomes: Outcome[]): Outcome {
  return {
    throughputs: outcomes.flatMap(({ throughputs }) => throughputs),
    findings: outcomes.flatMap(({ findings }) => findings),
  };
}
