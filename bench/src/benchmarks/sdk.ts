import type { RecordableHistogram } from 'node:perf_hooks';
import { type Client, createClient } from '@continuity/client';
import type { Benchmark, Finding, Throughput } from '../benchmark.ts';
import { createFilledScopes, vacuumTables } from '../data/fill-scope.ts';
import { seededRandom } from '../data/random.ts';
import { makeQuery } from '../data/texts.ts';
import { openHistogram, readLatency, recordMs } from '../load/latency.ts';
import { median } from '../report/median.ts';
import { runOnService } from '../servers/run-on-service.ts';

/** Of the requests per second of bare `fetch`. */
const minRatio = 0.9;
const entries = 1_000;
const callers = 8;
const scopeId = 'sdk';

type Search = (query: string) => Promise<unknown>;

export const sdk: Benchmark = {
  name: 'sdk',
  summary: 'rate of searches through the TypeScript SDK, compared with bare fetch',
  run: (bench) =>
    runOnService(bench, {}, async ({ url, databaseUrl, load }) => {
      const { isQuick, log } = bench;
      const random = seededRandom(71);
      await createFilledScopes({ load, url, databaseUrl }, [scopeId], isQuick ? 10 : entries, random);
      await vacuumTables(databaseUrl);
      const queries = Array.from({ length: isQuick ? 16 : 1_000 }, () => makeQuery(random));
      log('sdk: searches through fetch and the SDK in turns');
      const sides = { fetch: withFetch(url), sdk: withSdk(createClient({ baseUrl: url })) };
      return report(await inTurns(sides, queries, isQuick ? 1 : 15));
    }),
};

const withSdk =
  (client: Client): Search =>
  (query) =>
    client.searchMemory({ scope_id: scopeId, query });

const withFetch =
  (url: string): Search =>
  async (query) => {
    const response = await fetch(`${url}/v1/memory/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scope_id: scopeId, query }),
    });
    if (!response.ok) throw new Error(`The search was answered with ${response.status}.`);
    return await response.json();
  };

/** The measured searches of one side. */
interface Measured {
  latency: RecordableHistogram;
  /** Of each turn. */
  perSecond: number[];
}

/** Runs both sides in turns, so that other load on the machine affects them equally. The first round is the warm-up. */
async function inTurns<Name extends string>(
  sides: Record<Name, Search>,
  queries: string[],
  rounds: number,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(sides) as Name[];
  const measured = {} as Record<Name, Measured>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      if (round <= 1) measured[name] = { latency: openHistogram(), perSecond: [] };
      await measure(sides[name], queries, measured[name]);
    }
  }
  return measured;
}

/** Searches for all queries, with a few callers at once. */
async function measure(search: Search, queries: string[], { latency, perSecond }: Measured): Promise<void> {
  const remaining = queries.values();
  const startedAt = performance.now();
  const call = async () => {
    for (const query of remaining) {
      const sentAt = performance.now();
      await search(query);
      recordMs(latency, performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  perSecond.push((1_000 * queries.length) / (performance.now() - startedAt));
}

function report({ fetch, sdk }: Record<'fetch' | 'sdk', Measured>): {
  throughputs: Throughput[];
  findings: Finding[];
} {
  const rowOf = (name: string, { latency, perSecond }: Measured): Throughput => {
    const { p50Ms, p99Ms } = readLatency(latency);
    return { name, connections: callers, perSecond: median(perSecond), p50Ms, p99Ms };
  };
  const [bare, through] = [median(fetch.perSecond), median(sdk.perSecond)];
  const finding: Finding = {
    name: 'search: rate of the SDK / of bare fetch',
    value: through / bare,
    unit: '×',
    bar: { kind: 'at least', limit: minRatio },
    note: `medians, ${through.toFixed(0)} and ${bare.toFixed(0)} a second`,
  };
  return {
    throughputs: [rowOf('search through fetch', fetch), rowOf('search through the SDK', sdk)],
    findings: [finding],
  };
}
