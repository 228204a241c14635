import type { Bench, Benchmark, Finding, Throughput } from '../benchmark.ts';
import { type HttpLoad, type HttpResult, send } from '../load/http-load.ts';
import { searchRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { medianRow } from '../report/rows.ts';
import { type MeasuredOperation, measuredOperations, type Workload } from './measured-operations.ts';
import { createWorkload } from './workload.ts';

const connections = 32;
const maxPercent = 20;
const fullSuffix = ', full gateway';
const bareSuffix = ', bare gateway';

/**
 * The bare gateway runs from its source, because it replaces schemas in a module, of which a bundle has its own copy. So does the full
 * one, but in a quick run, in which it serves `telemetry` too.
 */
const gatewayProgram = 'services/api/src/main.ts';

/** Settings of a gateway that neither validates nor logs; without a collector, it has no traces either. */
const bareSettings = {
  LOG_LEVEL: 'silent',
  NODE_OPTIONS: `--import=${new URL('../servers/accept-all-bodies.ts', import.meta.url)}`,
};

/** Upper bound for the requests/s of a gateway: so many requests are prepared. */
const maxPerSecond = 12_000;

interface Setup {
  load: HttpLoad;
  workload: Workload;
  fullUrl: string;
  bareUrl: string;
  roundMs: number;
  rounds: number;
  /** Rounds before them that do not count. */
  warmUpRounds: number;
}

export const overhead: Benchmark = {
  name: 'overhead',
  summary: 'throughput with and without validation, tracing and logging',
  run: async (bench) => {
    const { servers } = bench;
    const database = await servers.createDatabase();
    const collector = await servers.startCollector();
    const full = await servers.startSeparate({
      databaseUrl: database.url,
      environment: collector.environment,
      ...(!bench.isQuick && { gatewayProgram }),
    });
    const bare = await servers.startSeparate({
      databaseUrl: database.url,
      environment: bareSettings,
      gatewayProgram,
    });
    const load = servers.startLoad();
    try {
      const [[fullUrl = ''], [bareUrl = '']] = [full.urls, bare.urls];
      await requireOnlyFullValidates(fullUrl, bareUrl);
      const workload = await createWorkload(bench, load, database.url);
      const timing = bench.isQuick
        ? { roundMs: 10, rounds: 1, warmUpRounds: 0 }
        : { roundMs: 250, rounds: 32, warmUpRounds: 10 };
      return await measureAll(bench, { load, workload, fullUrl, bareUrl, ...timing });
    } finally {
      await load.close();
      await Promise.all([full.stop(), bare.stop()]);
      await Promise.all([collector.stop(), database.drop()]);
    }
  },
};

/** Throws unless only the full gateway refuses a wrong body. */
async function requireOnlyFullValidates(fullUrl: string, bareUrl: string): Promise<void> {
  const { path, body } = searchRequest('unknown', 'words');
  const wrong = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...(body as object), wrong: 1 }),
  };
  const [full, bare] = await Promise.all([fullUrl, bareUrl].map((url) => fetch(url + path, wrong)));
  if (full?.status !== 422 || bare?.status !== 200)
    throw new Error(
      `A wrong body was answered with ${full?.status} and ${bare?.status} instead of 422 and 200.`,
    );
}

async function measureAll(
  { log }: Bench,
  setup: Setup,
): Promise<{ throughputs: Throughput[]; findings: Finding[] }> {
  const throughputs: Throughput[] = [];
  const findings: Finding[] = [];
  for (const operation of measuredOperations) {
    log(`overhead: ${operation.name}`);
    const { full, bare } = await measureBoth(setup, operation);
    const ratios = full.map((result, round) => result.perSecond / (bare[round]?.perSecond ?? 0));
    throughputs.push(
      medianRow(operation.name + fullSuffix, connections, full),
      medianRow(operation.name + bareSuffix, connections, bare),
    );
    findings.push({
      name: `${operation.name}: requests/s lost to validation, tracing and logging`,
      value: 100 * (1 - median(ratios)),
      unit: '%',
      bar: { kind: 'at most', limit: maxPercent },
      note: `${connections} connections`,
    });
  }
  findings.push(costOfAll(throughputs));
  return { throughputs, findings };
}

/** The cost for a load with the same number of requests of each operation, derived from the rate of each. */
function costOfAll(throughputs: Throughput[]): Finding {
  const timeOf = (suffix: string) =>
    throughputs
      .filter(({ name }) => name.endsWith(suffix))
      .reduce((sum, { perSecond }) => sum + 1 / perSecond, 0);
  return {
    name: 'all operations, the same number of each: requests/s lost to validation, tracing and logging',
    value: 100 * (1 - timeOf(bareSuffix) / timeOf(fullSuffix)),
    unit: '%',
    bar: { kind: 'at most', limit: maxPercent },
    note: `${connections} connections`,
  };
}

/** Alternates between both gateways, so that other load on the machine affects both alike. */
async function measureBoth(
  setup: Setup,
  operation: MeasuredOperation,
): Promise<{ full: HttpResult[]; bare: HttpResult[] }> {
  const full: HttpResult[] = [];
  const bare: HttpResult[] = [];
  for (let round = -setup.warmUpRounds; round < setup.rounds; round += 1) {
    const fullResult = await measure(setup, operation, setup.fullUrl);
    const bareResult = await measure(setup, operation, setup.bareUrl);
    if (round < 0) continue;
    full.push(fullResult);
    bare.push(bareResult);
  }
  return { full, bare };
}

async function measure({ load, workload, roundMs }: Setup, operation: MeasuredOperation, url: string) {
  const count = Math.ceil((maxPerSecond * roundMs) / 1_000);
  const requests = Array.from({ length: count }, () => operation.makeRequest(workload));
  return await send(load, [url], requests, { connections, maxMs: roundMs });
}
