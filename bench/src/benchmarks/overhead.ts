import { freePort } from '@continuity/embedded-postgres';
import type { Bench, Benchmark, Finding, Throughput } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { makeScopes, scopeNames } from '../data/scopes.ts';
import { type HttpLoad, type HttpResult, latencyOf, send, startHttpLoad } from '../load/http.ts';
import { captureRequest, makeCapture } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { startProgram } from '../servers/program.ts';
import { startGatewayProgram, startSeparate } from '../servers/service.ts';
import { createOwnDatabase } from '../servers/stores.ts';
import { type Field, type MeasuredOperation, makeReadable, measuredOperations } from './operations.ts';

const connections = 32;
const mostPercent = 20;
const wholeSide = ', whole';
const bareSide = ', bare';
/** More than any gateway answers in a second. */
const mostPerSecond = 12_000;

interface Setup {
  load: HttpLoad;
  field: Field;
  fullUrl: string;
  bareUrl: string;
  roundMs: number;
  rounds: number;
}

export const overhead: Benchmark = {
  name: 'overhead',
  summary: 'what validation, tracing and logging cost, by the same handlers without them',
  run: async (bench) => {
    const { stores } = bench;
    const database = await createOwnDatabase(stores);
    const collectorPort = await freePort();
    const collector = await startProgram('bench/src/servers/collector.ts', { PORT: String(collectorPort) });
    const full = await startSeparate({
      databaseUrl: database.url,
      redisUrl: stores.redisUrl,
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` },
    });
    const bare = await startGatewayProgram('bench/src/bare/main.ts', { databaseUrl: database.url });
    const load = startHttpLoad();
    try {
      const [[fullUrl = ''], [bareUrl = '']] = [full.urls, bare.urls];
      const field = await prepareField(bench, load, fullUrl, database.url);
      const timing = bench.isQuick ? { roundMs: 100, rounds: 1 } : { roundMs: 700, rounds: 8 };
      return await measureAll(bench, { load, field, fullUrl, bareUrl, ...timing });
    } finally {
      await load.close();
      await Promise.all([full.stop(), bare.stop()]);
      await Promise.all([collector.stop(), database.drop()]);
    }
  },
};

async function prepareField(
  { isQuick, say }: Bench,
  load: HttpLoad,
  url: string,
  databaseUrl: string,
): Promise<Field> {
  say('overhead: preparing');
  const random = seededRandom(53);
  const scopeIds = scopeNames('service', isQuick ? 20 : 200);
  await makeScopes(load, url, databaseUrl, scopeIds, random);
  const firsts = scopeIds.map((scopeId) => captureRequest(makeCapture(random, [scopeId])));
  await send(load, [url], firsts, { connections: 16 });
  const readable = await makeReadable(load, url, random, {
    scopes: isQuick ? 4 : 50,
    entries: isQuick ? 5 : 100,
  });
  return { random, scopeIds, directHeads: [], readable };
}

async function measureAll(
  { say }: Bench,
  setup: Setup,
): Promise<{ throughputs: Throughput[]; findings: Finding[] }> {
  const throughputs: Throughput[] = [];
  const findings: Finding[] = [];
  for (const operation of measuredOperations) {
    say(`overhead: ${operation.name}`);
    const { full, bare } = await measureBoth(setup, operation);
    const ratios = full.map((result, round) => result.perSecond / (bare[round]?.perSecond ?? 0));
    throughputs.push(rowOf(operation.name + wholeSide, full), rowOf(operation.name + bareSide, bare));
    findings.push({
      what: `${operation.name}: requests/s that validation, tracing and logging cost`,
      value: 100 * (1 - median(ratios)),
      unit: '%',
      bar: { kind: 'at most', limit: mostPercent },
      note: `${connections} connections`,
    });
  }
  findings.push(costOfAll(throughputs));
  return { throughputs, findings };
}

/** A load of as many requests of each operation, each at its own rate: what it would do more in the same time. */
function costOfAll(throughputs: Throughput[]): Finding {
  const timeOf = (side: string) =>
    throughputs
      .filter(({ what }) => what.endsWith(side))
      .reduce((sum, { perSecond }) => sum + 1 / perSecond, 0);
  return {
    what: 'all of them, as many of each: requests/s that validation, tracing and logging cost',
    value: 100 * (1 - timeOf(bareSide) / timeOf(wholeSide)),
    unit: '%',
    bar: { kind: 'at most', limit: mostPercent },
    note: `${connections} connections`,
  };
}

/** Turn by turn, so that whatever else goes on meets both. */
async function measureBoth(
  setup: Setup,
  operation: MeasuredOperation,
): Promise<{ full: HttpResult[]; bare: HttpResult[] }> {
  const full: HttpResult[] = [];
  const bare: HttpResult[] = [];
  for (let round = 0; round <= setup.rounds; round += 1) {
    const ofFull = await measure(setup, operation, setup.fullUrl);
    const ofBare = await measure(setup, operation, setup.bareUrl);
    // The first round only warms up.
    if (round === 0) continue;
    full.push(ofFull);
    bare.push(ofBare);
  }
  return { full, bare };
}

async function measure({ load, field, roundMs }: Setup, operation: MeasuredOperation, url: string) {
  const count = Math.ceil((mostPerSecond * roundMs) / 1_000);
  const requests = Array.from({ length: count }, () => operation.makeRequest(field));
  return await send(load, [url], requests, { connections, maxMs: roundMs });
}

function rowOf(what: string, results: HttpResult[]): Throughput {
  const latencies = results.map((result) => latencyOf(result));
  return {
    what,
    connections,
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    p50Ms: median(latencies.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(latencies.map(({ p99Ms }) => p99Ms)),
  };
}
