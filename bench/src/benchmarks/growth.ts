import type { Bench, Benchmark, Finding, Outcome, Table, Throughput } from '../benchmark.ts';
import { readCitations } from '../data/citations.ts';
import { multiplyEntries } from '../data/copy-entries.ts';
import { createFilledScopes, vacuumTables } from '../data/fill-scope.ts';
import { pick, type Random, seededRandom } from '../data/random.ts';
import { readHeads, scopeNames } from '../data/scopes.ts';
import { type HttpLoad, type HttpRequest, type HttpResult, latencyOf, send } from '../load/http-load.ts';
import { median } from '../report/median.ts';
import { groupRow, latencyRatio } from '../report/rows.ts';
import type { Service } from '../servers/service.ts';
import type { OwnDatabase } from '../servers/stores.ts';
import {
  allProbes,
  type Probe,
  type ProbedScope,
  probes,
  promptProbes,
  questionProbe,
  shortCharacters,
} from './growth-probes.ts';

/** Scopes of one size. There are several small ones, so that the measured writes do not make them large. */
interface Size {
  entries: number;
  scopes: number;
  /** Entries that the service's statements write, if PostgreSQL multiplies them. */
  remembered?: number;
}

interface Filled {
  entries: number;
  scopes: ProbedScope[];
}

/** How much more a long prompt may take than a question (spec 25 Q3). */
const maxPromptRatio = 4;
/** Allows for the variation of garbage collection between two equal runs. */
const maxMemoryGrowth = 1.2;

/** Different texts of the largest Scopes of a large run. */
const remembered = 20_000;

export const growth: Benchmark = {
  name: 'growth',
  summary:
    'latency of remember and search at 100 to 100,000 entries in one Scope; --large: of more, to 1,000,000',
  run: async (bench) => {
    const database = await bench.servers.createDatabase();
    const load = bench.servers.startLoad();
    try {
      const { outcome, filled } = await withService(bench, database, async (service) => {
        const filled = await fillAll(bench, service, database, load);
        return { filled, outcome: await measureTimes(bench, service, load, filled) };
      });
      const memory = await compareMemory(bench, database, load, filled);
      return { ...outcome, findings: [...outcome.findings, memory] };
    } finally {
      await load.close();
      await database.drop();
    }
  },
};

function sizesFor({ isQuick, isLarge }: Bench): Size[] {
  if (isQuick)
    return [
      { entries: 10, scopes: 1 },
      { entries: 20, scopes: 1 },
      { entries: 50, scopes: 1, remembered: 10 },
    ];
  if (isLarge)
    return [
      { entries: 100, scopes: 20 },
      { entries: 10_000, scopes: 1 },
      { entries: 100_000, scopes: 1, remembered },
      { entries: 1_000_000, scopes: 1, remembered },
    ];
  return [
    { entries: 100, scopes: 20 },
    { entries: 1_000, scopes: 4 },
    { entries: 10_000, scopes: 1 },
    { entries: 100_000, scopes: 1 },
  ];
}

async function withService<T>(
  { servers }: Bench,
  { url }: OwnDatabase,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await servers.startSeparate({ databaseUrl: url });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function fillAll(
  bench: Bench,
  { urls: [url = ''] }: Service,
  database: OwnDatabase,
  load: HttpLoad,
): Promise<Filled[]> {
  const random = seededRandom(23);
  const filled: Filled[] = [];
  for (const { entries, scopes: count, remembered = entries } of sizesFor(bench)) {
    bench.log(`growth: filling ${count} × ${entries} entries`);
    const target = { load, url, databaseUrl: database.url };
    const names = scopeNames(`size-${entries}`, count);
    const scopes = await createFilledScopes(target, names, remembered, random);
    if (remembered < entries)
      for (const head of await readHeads(database.url, names))
        await multiplyEntries(database.url, head, entries / remembered);
    const citations = new Map(
      (await readCitations(database.url, names)).map((scope) => [scope.scopeId, scope.citations]),
    );
    filled.push({
      entries,
      scopes: scopes.map((scope) => ({ ...scope, citations: citations.get(scope.scopeId) ?? [] })),
    });
  }
  await vacuumTables(database.url);
  return filled;
}

/** Alternates between all sizes over one connection, so that other load on the machine affects all of them alike. */
async function measureTimes(
  { isQuick, isLarge, log }: Bench,
  { urls }: Service,
  load: HttpLoad,
  filled: Filled[],
): Promise<Outcome> {
  const times = isQuick ? 3 : 200;
  const random = seededRandom(29);
  const throughputs: Throughput[] = [];
  const findings: Finding[] = [];
  const curves: string[][] = [];
  const isWhole = isQuick || isLarge;
  for (const probe of isWhole ? allProbes : probes) {
    log(`growth: ${probe.name}`);
    const turns = (count: number) =>
      Array.from({ length: count }, () => filled.flatMap((size) => requestsOf(probe, size, random))).flat();
    await send(load, urls, turns(Math.ceil(times / 4)), { connections: 1 });
    const result = await send(load, urls, turns(times), { connections: 1 });
    throughputs.push(
      ...filled.map(({ entries }) => groupRow(rowName(probe.name, entries), result, String(entries))),
    );
    findings.push(findingOf(probe, filled, result));
    curves.push([
      probe.name,
      ...filled.map(({ entries }) => {
        const { p50Ms, p95Ms } = latencyOf(result, String(entries));
        return `${p50Ms.toFixed(1)} / ${p95Ms.toFixed(1)}`;
      }),
    ]);
  }
  const latencies = new Map(throughputs.map(({ name, p50Ms }) => [name, p50Ms]));
  for (const { entries } of filled)
    for (const { name } of promptProbes) {
      const [question = 0, prompt = 0] = [questionProbe.name, name].map((probe) =>
        latencies.get(rowName(probe, entries)),
      );
      const ratio = `${name} / ${shortCharacters}, at ${entries} entries`;
      findings.push(latencyRatio(ratio, question, prompt, maxPromptRatio));
    }
  return { throughputs, findings, ...(isWhole && { tables: [curveTable(filled, curves)] }) };
}

/** The requests of one turn at one size; only the last one counts for the size. */
function requestsOf(
  { makeBefore, makeRequest }: Probe,
  { entries, scopes }: Filled,
  random: Random,
): HttpRequest[] {
  const scope = pick(random, scopes);
  const before = makeBefore === undefined ? [] : [{ ...makeBefore(random, scope), group: 'before' }];
  return [...before, { ...makeRequest(random, scope), group: String(entries) }];
}

/** Latency p50 / p95 in milliseconds at each size. */
function curveTable(filled: Filled[], rows: string[][]): Table {
  const head = ['p50 / p95 in ms', ...filled.map(({ entries }) => `${entries} entries`)];
  return { head, rows, right: head.slice(1) };
}

const rowName = (probe: string, entries: number): string => `${probe}, at ${entries} entries`;

function findingOf({ name, maxRatio }: Probe, filled: Filled[], result: HttpResult): Finding {
  const small = filled.at(0)?.entries ?? 0;
  const large = filled.at(-1)?.entries ?? 0;
  const [before, after] = [latencyOf(result, String(small)).p50Ms, latencyOf(result, String(large)).p50Ms];
  return latencyRatio(`${name}: latency at ${large} entries / at ${small}`, before, after, maxRatio);
}

/** Compares the resident memory of a gateway that used only small Scopes with one that used only the large one. */
async function compareMemory(
  bench: Bench,
  database: OwnDatabase,
  load: HttpLoad,
  filled: Filled[],
): Promise<Finding> {
  const [small, large] = [filled.at(0), filled.at(-1)];
  if (small === undefined || large === undefined) throw new Error('Nothing was filled.');
  bench.log('growth: memory');
  const before = await memoryAfter(bench, database, load, small);
  const after = await memoryAfter(bench, database, load, large);
  return {
    name: `gateway memory: at ${large.entries} entries / at ${small.entries}`,
    value: after / before,
    unit: '×',
    bar: { kind: 'at most', limit: maxMemoryGrowth },
    note: `${before.toFixed(0)} and ${after.toFixed(0)} MiB`,
  };
}

async function memoryAfter(
  bench: Bench,
  database: OwnDatabase,
  load: HttpLoad,
  size: Filled,
): Promise<number> {
  const random = seededRandom(31);
  const count = bench.isQuick ? 10 : 1_500;
  return await withService(bench, database, async ({ urls, gateways: [gateway] }) => {
    if (gateway === undefined) throw new Error('There is no gateway.');
    const samples: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const requests = Array.from({ length: count / 5 }, (_, index) => {
        const probe = probes[index % probes.length] as Probe;
        return probe.makeRequest(random, pick(random, size.scopes));
      });
      await send(load, urls, requests, { connections: 4 });
      samples.push(await gateway.memoryMib());
    }
    return median(samples);
  });
}
