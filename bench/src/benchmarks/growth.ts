import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { createFilledScopes, type FilledScope, vacuumTables } from '../data/fill-scope.ts';
import { pick, type Random, seededRandom } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { commonQuery, makeEntry, makeQuery, makeStackTrace, makeText, rareQuery } from '../data/texts.ts';
import { type HttpLoad, type HttpRequest, type HttpResult, latencyOf, send } from '../load/http-load.ts';
import { entryBytes, rememberRequest, searchRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { groupRow, latencyRatio } from '../report/rows.ts';
import type { Service } from '../servers/service.ts';
import type { OwnDatabase } from '../servers/stores.ts';

/** Scopes of one size. There are several small ones, so that the measured writes do not make them large. */
interface Size {
  entries: number;
  scopes: number;
}

interface Filled {
  entries: number;
  scopes: FilledScope[];
}

/** One kind of request, sent to all sizes. `maxRatio` limits its latency in the largest, as a multiple of the smallest. */
interface Probe {
  name: string;
  maxRatio: number;
  makeRequest: (random: Random, scope: Filled['scopes'][number]) => HttpRequest;
}

const maxRememberGrowth = 1.3;
const maxSearchGrowth = 4;
/** Lengths of a question and of the longest prompt, and how much more the prompt may take (spec 25 Q3). */
const shortCharacters = 60;
const longCharacters = 8_192;
const maxPromptRatio = 4;
/** Allows for the variation of garbage collection between two equal runs. */
const maxMemoryGrowth = 1.2;

const textProbe = (name: string, makeQuery: (random: Random) => string): Probe => ({
  name,
  maxRatio: maxSearchGrowth,
  makeRequest: (random, { scopeId }) => searchRequest(scopeId, makeQuery(random)),
});

const textOf = (random: Random, characters: number) => makeText(random, characters + 5).slice(0, characters);

const questionProbe = textProbe(`search, ${shortCharacters} characters`, (random) =>
  textOf(random, shortCharacters),
);

/** Long prompts: other terms in each sentence, and many of the same terms in each line. */
const promptProbes = [
  textProbe(`search, ${longCharacters} characters`, (random) => textOf(random, longCharacters)),
  textProbe(`search, stack trace of ${longCharacters} characters`, (random) =>
    makeStackTrace(random, longCharacters),
  ),
];

/** Remembers come last, because they make the Scopes larger. */
const probes: Probe[] = [
  {
    name: 'search, two rare words',
    maxRatio: maxSearchGrowth,
    makeRequest: (random, { scopeId, known }) => searchRequest(scopeId, rareQuery(pick(random, known))),
  },
  {
    name: 'search, three to five words',
    maxRatio: maxSearchGrowth,
    makeRequest: (random, { scopeId }) => searchRequest(scopeId, makeQuery(random)),
  },
  {
    name: 'search, three common words',
    maxRatio: maxSearchGrowth,
    makeRequest: (random, { scopeId }) => searchRequest(scopeId, commonQuery(random)),
  },
  questionProbe,
  ...promptProbes,
  {
    name: 'remember',
    maxRatio: maxRememberGrowth,
    makeRequest: (random, { scopeId }) => rememberRequest(scopeId, makeEntry(random, entryBytes)),
  },
];

export const growth: Benchmark = {
  name: 'growth',
  summary: 'latency of remember and search at 100, 1,000, 10,000 and 100,000 entries in one Scope',
  run: async (bench) => {
    const database = await bench.servers.createDatabase();
    const load = bench.servers.startLoad();
    try {
      const { outcome, filled } = await withService(bench, database, async (service) => {
        const filled = await fillAll(bench, service, database, load);
        return { filled, outcome: await measureTimes(service, load, filled, bench.isQuick ? 3 : 200) };
      });
      const memory = await compareMemory(bench, database, load, filled);
      return { ...outcome, findings: [...outcome.findings, memory] };
    } finally {
      await load.close();
      await database.drop();
    }
  },
};

function sizesFor({ isQuick }: Bench): Size[] {
  if (isQuick) return [10, 20, 50].map((entries) => ({ entries, scopes: 1 }));
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
  for (const { entries, scopes: count } of sizesFor(bench)) {
    bench.log(`growth: filling ${count} × ${entries} entries`);
    const target = { load, url, databaseUrl: database.url };
    const scopes = await createFilledScopes(target, scopeNames(`size-${entries}`, count), entries, random);
    filled.push({ entries, scopes });
  }
  await vacuumTables(database.url);
  return filled;
}

/** Alternates between all sizes over one connection, so that other load on the machine affects all of them alike. */
async function measureTimes(
  { urls }: Service,
  load: HttpLoad,
  filled: Filled[],
  times: number,
): Promise<Outcome> {
  const random = seededRandom(29);
  const throughputs: Throughput[] = [];
  const findings: Finding[] = [];
  for (const probe of probes) {
    const turns = (count: number) =>
      Array.from({ length: count }, () =>
        filled.map(({ entries, scopes }) => ({
          ...probe.makeRequest(random, pick(random, scopes)),
          group: String(entries),
        })),
      ).flat();
    await send(load, urls, turns(Math.ceil(times / 4)), { connections: 1 });
    const result = await send(load, urls, turns(times), { connections: 1 });
    throughputs.push(
      ...filled.map(({ entries }) => groupRow(rowName(probe.name, entries), result, String(entries))),
    );
    findings.push(findingOf(probe, filled, result));
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
  return { throughputs, findings };
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
