import type { Bench, Benchmark, Finding, Throughput } from '../benchmark.ts';
import { measureBullmq } from '../bullmq/measure-throughput.ts';
import { scopeNames } from '../data/scopes.ts';
import { type HttpAnswer, type HttpResult, send } from '../load/http-load.ts';
import { flushRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { medianRow } from '../report/rows.ts';
import { query } from '../servers/query.ts';
import { type LoadedService, runOnService } from '../servers/run-on-service.ts';

/** Requests of all rounds together. */
const requests = 10_000;
const rounds = 4;
/** Concurrent requests. */
const atOnce = 500;
/** The default of the worker. */
const concurrency = 8;
const minShare = 0.5;
/** Limit for the delay between the end of a job and its answer: neither a notification nor a poll takes longer. */
const lateMs = 2_000;

interface Setup extends LoadedService {
  bench: Bench;
}

/** The result of one round of requests that each wait for a job. */
interface RoundResult {
  result: HttpResult;
  /** Requests answered with a status other than 200. */
  lost: number;
  /** Requests answered more than `lateMs` after the end of their job. */
  late: number;
  slowestMs: number;
}

export const jobs: Benchmark = {
  name: 'jobs',
  summary: 'throughput of a queued operation, compared with BullMQ alone and the same row writes',
  run: (bench) => runOnService(bench, {}, (running) => measure({ bench, ...running })),
};

async function measure(setup: Setup): Promise<{ throughputs: Throughput[]; findings: Finding[] }> {
  const { bench, databaseUrl } = setup;
  const count = bench.isQuick ? 50 : requests / rounds;
  const tenantId = await readTenant(databaseUrl);
  const alone = { databaseUrl, redisUrl: bench.stores.redisUrl, tenantId, count, atOnce, concurrency };
  const waited: RoundResult[] = [];
  const ratios: number[] = [];
  const directs: number[] = [];
  await waitForJobs(setup, 'warm-up', Math.ceil(count / 10));
  // In production, autovacuum analyzes the table within two minutes of the first jobs.
  await query(databaseUrl, 'ANALYZE jobs');
  for (let round = 0; round < (bench.isQuick ? 1 : rounds); round += 1) {
    bench.log(`jobs: round ${round + 1}`);
    const ofService = await waitForJobs(setup, `round-${round}`, count);
    const direct = await measureBullmq(alone);
    waited.push(ofService);
    directs.push(direct);
    ratios.push(ofService.result.perSecond / direct);
  }
  const results = waited.map(({ result }) => result);
  const row: Throughput = {
    ...medianRow('flush without Sources, Redis (direct: BullMQ alone)', atOnce, results),
    direct: { perSecond: median(directs), ratio: median(ratios) },
  };
  return { throughputs: [row], findings: findingsOf(median(ratios), median(directs), waited) };
}

function findingsOf(ratio: number, direct: number, waited: RoundResult[]): Finding[] {
  const total = (of: (one: RoundResult) => number) => waited.reduce((sum, one) => sum + of(one), 0);
  const all = total(({ result }) => result.count);
  const slowest = Math.max(...waited.map(({ slowestMs }) => slowestMs));
  return [
    {
      name: 'queued flush: share of the jobs/s of BullMQ alone',
      value: ratio,
      unit: '',
      bar: { kind: 'at least', limit: minShare },
      note: `${direct.toFixed(0)} jobs/s alone`,
    },
    {
      name: `requests of ${all} without a result`,
      value: total(({ lost }) => lost),
      unit: '',
      bar: { kind: 'at most', limit: 0 },
    },
    {
      name: `requests of ${all} answered more than ${lateMs} ms after the end of the job`,
      value: total(({ late }) => late),
      unit: '',
      bar: { kind: 'at most', limit: 0 },
      note: `slowest ${slowest.toFixed(0)} ms`,
    },
  ];
}

/** Each request flushes another Scope, so that no two requests share a job. */
async function waitForJobs(
  { service, load, databaseUrl }: Setup,
  name: string,
  count: number,
): Promise<RoundResult> {
  const scopeIds = scopeNames(`jobs-${name}`, count);
  const result = await send(load, service.urls, scopeIds.map(flushRequest), {
    connections: atOnce,
    keepAnswers: true,
    allowFailures: true,
  });
  const ends = await readEnds(databaseUrl, scopeIds);
  const delays = result.answers
    .filter(({ status }) => status === 200)
    .map((answer) => delayOf(answer, scopeIds, ends));
  return {
    result,
    lost: count - delays.length,
    late: delays.filter((delay) => delay > lateMs).length,
    slowestMs: Math.max(...delays),
  };
}

/** Milliseconds between the end of the job and its answer. */
function delayOf({ index, at }: HttpAnswer, scopeIds: string[], ends: Map<string, number>): number {
  const end = ends.get(scopeIds[index] ?? '');
  if (end === undefined) throw new Error('A request was answered although its job has not ended.');
  return at - end;
}

/** The end of each Scope's job, in milliseconds since 1970. */
async function readEnds(databaseUrl: string, scopeIds: string[]): Promise<Map<string, number>> {
  const rows = await query<{ scope_id: string; ended: number }>(
    databaseUrl,
    `SELECT scope_id, (extract(epoch FROM finished_at) * 1000)::float8 AS ended
     FROM jobs WHERE scope_id = ANY ($1) AND finished_at IS NOT NULL`,
    [scopeIds],
  );
  return new Map(rows.map(({ scope_id, ended }) => [scope_id, ended]));
}

async function readTenant(databaseUrl: string): Promise<number> {
  const [row] = await query<{ tenant_id: number }>(
    databaseUrl,
    'SELECT min(tenant_id) AS tenant_id FROM tenants',
  );
  return row?.tenant_id ?? 0;
}
