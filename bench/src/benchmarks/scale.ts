import type { MemoryCitation } from '@continuity/contract';
import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { readCitations } from '../data/citations.ts';
import { settleTables } from '../data/fill.ts';
import { fillScopes } from '../data/fill-many.ts';
import { pick, type Random, seededRandom } from '../data/random.ts';
import { makeScopes, scopeNames } from '../data/scopes.ts';
import { makeQuery } from '../data/texts.ts';
import { type HttpLoad, type HttpResult, latencyOf, send, startHttpLoad } from '../load/http.ts';
import { getRequest, searchRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { type Service, startSeparate } from '../servers/service.ts';
import { createOwnDatabase } from '../servers/stores.ts';

interface FilledScope {
  scopeId: string;
  citations: MemoryCitation[];
}

/** A database of its own with so many Scopes of one size, and a gateway on it. */
interface Field {
  name: string;
  service: Service;
  scopes: FilledScope[];
  close(): Promise<void>;
}

interface Size {
  scopes: number;
  entries: number;
}

/** Medians of one field, in milliseconds. */
interface Times {
  get: number;
  search: number;
}

const mostTimesOfRead = 3;
/** What two equal measurements may differ by. */
const mostTimesOfOne = 1.2;

const rounds = 5;

/** Reads and searches of each field before the measured ones, as of a gateway that has worked for a while: ten of each of 1,000 Scopes. */
const warmingTurns = 10_000;

export const scale: Benchmark = {
  name: 'scale',
  summary:
    'search beside a read by primary key: at 100,000 entries in one Scope, and in 1,000 Scopes of 1,000',
  run: async (bench) => {
    const load = startHttpLoad();
    try {
      const [large, many, one] = sizesFor(bench);
      const single = await measureFields(bench, load, [large]);
      const several = await measureFields(bench, load, [many, one]);
      return join([single, several, compare(many, one, several.times)]);
    } finally {
      await load.close();
    }
  },
};

function sizesFor({ isQuick }: Bench): [large: Size, many: Size, one: Size] {
  return isQuick
    ? [
        { scopes: 1, entries: 200 },
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

/** Asks all fields turn by turn over one connection, so that whatever else goes on meets all of them alike. */
async function measureFields(bench: Bench, load: HttpLoad, sizes: Size[]): Promise<Measured> {
  const fields: Field[] = [];
  try {
    for (const size of sizes) fields.push(await makeField(bench, load, size));
    const random = seededRandom(73);
    const turns = bench.isQuick ? 3 : 60;
    const warming = bench.isQuick ? turns : warmingTurns;
    for (const field of fields) await askField(load, field, random, inTurn(field.scopes, warming));
    const results = new Map<string, HttpResult[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const field of fields) {
        const result = await askField(load, field, random, anyOf(field.scopes, turns, random));
        results.set(field.name, [...(results.get(field.name) ?? []), result]);
      }
    }
    const measured = [...results].map(([name, ofField]) => describe(name, ofField));
    return {
      throughputs: measured.flatMap(({ throughputs }) => throughputs),
      findings: measured.map(({ finding }) => finding),
      times: new Map(measured.map(({ name, times }) => [name, times])),
    };
  } finally {
    for (const field of fields) await field.close();
  }
}

async function makeField({ stores, say }: Bench, load: HttpLoad, size: Size): Promise<Field> {
  const name = nameOf(size);
  const database = await createOwnDatabase(stores);
  const service = await startSeparate({ databaseUrl: database.url, redisUrl: stores.redisUrl });
  const close = async () => {
    await service.stop();
    await database.drop();
  };
  try {
    say(`scale: filling ${name}`);
    const random = seededRandom(79);
    const scopeIds = scopeNames('scale', size.scopes);
    const heads = await makeScopes(load, service.urls[0] ?? '', database.url, scopeIds, random);
    await fillScopes(database.url, heads, size.entries - 1);
    await settleTables(database.url);
    return { name, service, scopes: await readCitations(database.url, scopeIds), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function nameOf({ scopes, entries }: Size): string {
  return `${scopes} Scope(s) of ${entries} entries`;
}

/** Scopes one after the other, from the first again after the last. */
function inTurn(scopes: FilledScope[], count: number): FilledScope[] {
  return Array.from({ length: Math.ceil(count / scopes.length) }, () => scopes)
    .flat()
    .slice(0, count);
}

function anyOf(scopes: FilledScope[], count: number, random: Random): FilledScope[] {
  return Array.from({ length: count }, () => pick(random, scopes));
}

/** A search of each, and a read by primary key of any, one after the other. */
async function askField(
  load: HttpLoad,
  { service }: Field,
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
    what: `${group}, ${name}`,
    connections: 1,
    perSecond: 1_000 / median(results.map((result) => latencyOf(result, group).meanMs)),
    p50Ms: times[group],
    p99Ms: median(results.map((result) => latencyOf(result, group).p99Ms)),
  });
  const finding: Finding = {
    what: `search by get, ${name}`,
    value: times.search / times.get,
    unit: '×',
    bar: { kind: 'at most', limit: mostTimesOfRead },
    note: `medians, ${times.search.toFixed(2)} and ${times.get.toFixed(2)} ms`,
  };
  return { name, times, throughputs: [rowOf('get'), rowOf('search')], finding };
}

function medianOf(results: HttpResult[], group: keyof Times): number {
  return median(results.map((result) => latencyOf(result, group).p50Ms));
}

/** A search among many Scopes by one where its Scope is alone. */
function compare(many: Size, one: Size, times: ReadonlyMap<string, Times>): Outcome {
  const [among, alone] = [times.get(nameOf(many)), times.get(nameOf(one))];
  if (among === undefined || alone === undefined) throw new Error('Not every field was measured.');
  const finding: Finding = {
    what: `search, ${nameOf(many)} by ${nameOf(one)}`,
    value: among.search / alone.search,
    unit: '×',
    bar: { kind: 'at most', limit: mostTimesOfOne },
    note: `medians, ${among.search.toFixed(2)} and ${alone.search.toFixed(2)} ms`,
  };
  return { throughputs: [], findings: [finding] };
}

function join(outcomes: Outcome[]): Outcome {
  return {
    throughputs: outcomes.flatMap(({ throughputs }) => throughputs),
    findings: outcomes.flatMap(({ findings }) => findings),
  };
}
