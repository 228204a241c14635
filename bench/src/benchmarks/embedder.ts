import { waitUntil } from '@continuity/testing/servers';
import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { pick, seededRandom } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { makeEntry, makeText } from '../data/texts.ts';
import { type HttpLoad, latencyOf, send } from '../load/http-load.ts';
import { entryBytes, rememberRequest } from '../load/requests.ts';
import { medianRow } from '../report/rows.ts';
import { runOnService } from '../servers/run-on-service.ts';
import { type Embedder, startEmbedder } from '../servers/service.ts';
import { shareServers } from '../servers/shared-servers.ts';

/** Words of an entry, and entries of one request, as workers send them. */
const entryWords = 40;
const batch = 16;

const writers = 32;
const rounds = 3;

/** Limit of the wait until all entries of the searched Scope have a vector. */
const embeddedMs = 600_000;

const sizes = {
  queries: 200,
  entries: 640,
  texts: 10_000,
  searched: 1_000,
  searches: 300,
  roundMs: 4_000,
  writes: 100 * writers,
};
const quickSizes = {
  queries: 5,
  entries: 16,
  texts: 16,
  searched: 10,
  searches: 5,
  roundMs: 100,
  writes: writers,
};

export const embedder: Benchmark = {
  name: 'embedder',
  summary:
    'latency, rate and memory of the built-in embedder; hybrid search with it; writes while it is busy',
  run: async (bench) => {
    const begun = performance.now();
    const running = await startEmbedder();
    const readyMs = performance.now() - begun;
    // In the database that the benchmarks of a quick run share, the searched entries would wait for the vectors of all others.
    const shared = shareServers(bench.stores);
    const embedding = bench.isQuick ? { ...bench, servers: shared } : bench;
    try {
      const alone = await measureAlone(bench, running, readyMs);
      const searched = await measureSearch(embedding, running);
      const off = await measureRemember(bench, 'remember, embedder off', {});
      const busy = await measureRemember(embedding, 'remember, embedder busy', {
        environment: running.settings,
      });
      const written = compareWrites(off, busy);
      return {
        throughputs: [...searched.throughputs, ...written.throughputs],
        findings: [...alone, ...searched.findings, ...written.findings],
      };
    } finally {
      await shared.close().finally(() => running.program.stop());
    }
  },
};

const sizesOf = ({ isQuick }: Bench) => (isQuick ? quickSizes : sizes);

/** The embedder without a service. */
async function measureAlone(
  bench: Bench,
  { program, settings }: Embedder,
  readyMs: number,
): Promise<Finding[]> {
  const { queries, entries, texts } = sizesOf(bench);
  const url = settings['EMBEDDER_URL'] ?? '';
  const load = bench.servers.startLoad();
  const random = seededRandom(39);
  const words = (count: number) =>
    makeText(random, count * 12)
      .split(' ')
      .slice(0, count)
      .join(' ');
  const requests = (count: number, size: number, input_type: string, length: number) =>
    Array.from({ length: count / size }, () => ({
      path: '/v1/embeddings',
      body: { input: Array.from({ length: size }, () => words(length)), input_type },
    }));
  try {
    bench.log('embedder: alone');
    const asked = await send(load, [url], requests(queries, 1, 'query', 8), { connections: 1 });
    const stored = await send(load, [url], requests(entries, batch, 'passage', entryWords), {
      connections: 1,
    });
    await send(load, [url], requests(texts, batch, 'passage', entryWords / 2), { connections: 1 });
    const finding = (
      name: string,
      value: number,
      unit: string,
      kind: 'at most' | 'at least',
      limit: number,
    ) => ({
      name: `embedder: ${name}`,
      value,
      unit,
      bar: { kind, limit } as const,
    });
    return [
      finding('start', readyMs, 'ms', 'at most', 1_000),
      finding('p50 of a query of 8 words', latencyOf(asked).p50Ms, 'ms', 'at most', 6),
      finding(`entries of ${entryWords} words`, stored.perSecond * batch, '/s', 'at least', 80),
      finding(`memory after ${texts} texts`, await program.memoryMib(), 'MiB', 'at most', 210),
    ];
  } finally {
    await load.close();
  }
}

/** Hybrid search in one Scope, by one caller. */
async function measureSearch(bench: Bench, { settings }: Embedder): Promise<Outcome> {
  const { searched, searches } = sizesOf(bench);
  return await runOnService(bench, { environment: settings }, async ({ url, load }) => {
    bench.log(`embedder: hybrid search in ${searched} entries`);
    const random = seededRandom(40);
    const entries = Array.from({ length: searched }, () => makeEntry(random, entryBytes));
    await send(
      load,
      [url],
      entries.map((entry) => rememberRequest('searched', entry)),
      { connections: 8 },
    );
    const search = (mode: string) => {
      const query = pick(random, entries).text.split(' ').slice(2, 8).join(' ');
      return { path: '/v1/memory/search', body: { scope_id: 'searched', query, mode } };
    };
    const isEmbedded = async () => {
      const { answers } = await send(load, [url], [search('auto')], { connections: 1, keepAnswers: true });
      return (JSON.parse(answers[0]?.body ?? '{}') as { mode?: string }).mode === 'hybrid';
    };
    await waitUntil(isEmbedded, { timeoutMs: embeddedMs, what: 'every entry has a vector' });
    const requests = Array.from({ length: searches }, () => search('hybrid'));
    const result = await send(load, [url], requests, { connections: 1 });
    const { p50Ms, p95Ms } = latencyOf(result);
    const name = `hybrid search, ${searched} entries`;
    return {
      throughputs: [medianRow(name, 1, [result])],
      findings: [
        { name: `${name}: p50`, value: p50Ms, unit: 'ms', bar: { kind: 'at most', limit: 20 } },
        { name: `${name}: p95`, value: p95Ms, unit: 'ms', bar: { kind: 'at most', limit: 40 } },
      ],
    };
  });
}

/** Compares writes at many connections without the embedder, and while it embeds them. */
function compareWrites(off: Throughput, busy: Throughput): Outcome {
  return {
    throughputs: [off, busy],
    findings: [
      {
        name: 'remember: rate with the embedder busy / off',
        value: busy.perSecond / off.perSecond,
        unit: '×',
        bar: { kind: 'at least', limit: 0.85 },
        note: `${busy.perSecond.toFixed(0)} and ${off.perSecond.toFixed(0)}/s at ${writers} connections`,
      },
      {
        name: 'remember: p99 with the embedder busy / off',
        value: busy.p99Ms / off.p99Ms,
        unit: '×',
        bar: { kind: 'at most', limit: 2 },
        note: `${busy.p99Ms.toFixed(1)} and ${off.p99Ms.toFixed(1)} ms`,
      },
    ],
  };
}

async function measureRemember(
  bench: Bench,
  name: string,
  options: { environment?: Record<string, string> },
): Promise<Throughput> {
  const { roundMs, writes } = sizesOf(bench);
  return await runOnService(bench, options, async ({ url, load }) => {
    bench.log(`embedder: ${name}`);
    await rememberFor(load, url, writes, roundMs / 2, 0);
    const results = [];
    for (let round = 1; round <= rounds; round += 1)
      results.push(await rememberFor(load, url, writes, roundMs, round));
    return medianRow(name, writers, results);
  });
}

function rememberFor(load: HttpLoad, url: string, writes: number, maxMs: number, seed: number) {
  const random = seededRandom(seed);
  const scopeIds = scopeNames('write', writers);
  const requests = Array.from({ length: writes }, (_, index) =>
    rememberRequest(scopeIds[index % writers] ?? '', makeEntry(random, entryBytes)),
  );
  return send(load, [url], requests, { connections: writers, maxMs, repeats: false });
}
