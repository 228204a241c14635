import { openDatabase, type TenantId } from '@continuity/kernel/database';
import { makeReport } from '@continuity/shared/reports';
import { defaultTenant, ensureTenant } from '@continuity/shared/tenants';
import type { Bench, Benchmark, Finding, Outcome } from '../benchmark.ts';
import { vacuumTables } from '../data/fill-scope.ts';
import { seededRandom } from '../data/random.ts';
import { fillProject } from '../data/workstreams.ts';
import { type HttpLoad, type HttpRequest, latencyOf, send } from '../load/http-load.ts';
import { recordSnapshot, replaySnapshot } from '../load/replay-snapshot.ts';
import { timeOf } from '../load/time-of.ts';
import { median } from '../report/median.ts';
import { groupRow, latencyRatio } from '../report/rows.ts';
import { runOnService } from '../servers/run-on-service.ts';

/** Limits for a report of 100 Workstreams with 20 revisions each. */
const maxRoundTrips = 12;
const maxOverQueries = 3;
const maxGrowth = 1.3;

const few = 100;
const limits = {
  outputBytes: 64 * 2 ** 20,
  maxScopes: 1_000,
  evidenceBudgetMs: 60_000,
  renderingTtlMs: 0,
  renderingBytes: 0,
};

interface Sizes {
  workstreams: number;
  revisions: number;
  many: number;
}

export const reports: Benchmark = {
  name: 'reports',
  summary:
    'a report of 100 Workstreams with 20 revisions each, beside its queries and beside 100,000 old Sources',
  run: (bench) =>
    runOnService(bench, {}, async ({ load, url, databaseUrl }) => {
      const { isQuick, log } = bench;
      const sizes = isQuick
        ? { workstreams: 3, revisions: 2, many: 300 }
        : { workstreams: 100, revisions: 20, many: 100_000 };
      log(`reports: filling two Projects of ${sizes.workstreams} Workstreams`);
      const random = seededRandom(83);
      const fill = (name: string, oldSources: number) =>
        fillProject(load, url, databaseUrl, { ...sizes, name, oldSources }, random);
      const [short, long] = [await fill('short', few), await fill('long', sizes.many)];
      await vacuumTables(databaseUrl);
      const overHttp = await compareHistories(bench, load, url, sizes, { short, long });
      log('reports: the same queries alone');
      const overQueries = await compareQueries(bench, databaseUrl, short);
      return {
        throughputs: overHttp.throughputs,
        findings: [...overQueries, ...overHttp.findings],
      };
    }),
};

type Format = 'json' | 'markdown';

function reportRequest(projectId: string, format: Format): HttpRequest {
  return { path: '/v1/handoff-reports/get', body: { project_id: projectId, format } };
}

/** Alternates reports of a Project with few old Sources and of one with many, over one connection. */
async function compareHistories(
  { isQuick, log }: Bench,
  load: HttpLoad,
  url: string,
  { many }: Sizes,
  { short, long }: Record<'short' | 'long', string>,
): Promise<Outcome> {
  const outcome: Outcome = { throughputs: [], findings: [] };
  for (const format of ['json', 'markdown'] as const) {
    log(`reports: ${format}`);
    const turns = (count: number) =>
      Array.from({ length: count }, () => [
        { ...reportRequest(short, format), group: 'short' },
        { ...reportRequest(long, format), group: 'long' },
      ]).flat();
    await send(load, [url], turns(isQuick ? 1 : 10), { connections: 1 });
    const result = await send(load, [url], turns(isQuick ? 2 : 40), { connections: 1 });
    outcome.throughputs.push(groupRow(`report, ${format}, ${few} old Sources`, result, 'short'));
    outcome.throughputs.push(groupRow(`report, ${format}, ${many} old Sources`, result, 'long'));
    const [ofFew, ofMany] = [latencyOf(result, 'short').p50Ms, latencyOf(result, 'long').p50Ms];
    outcome.findings.push(
      latencyRatio(`report, ${format}: ${many} old Sources / ${few}`, ofFew, ofMany, maxGrowth),
    );
  }
  return outcome;
}

/** Alternates the report and its statements alone in this process, over one connection. */
async function compareQueries(
  { isQuick }: Bench,
  databaseUrl: string,
  projectId: string,
): Promise<Finding[]> {
  const database = openDatabase({
    url: databaseUrl,
    size: 1,
    name: 'bench-reports',
    onIdleError: () => undefined,
  });
  try {
    const order = orderOf(await ensureTenant(database, defaultTenant), projectId);
    const make = () => database.snapshot((sql) => makeReport(sql, order, limits));
    const trips = await recordSnapshot(database, (sql) => makeReport(sql, order, limits));
    const times: Record<'report' | 'queries', number[]> = { report: [], queries: [] };
    const [warmUpRounds, rounds] = isQuick ? [0, 2] : [20, 40];
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      const [report, queries] = [await timeOf(make), await timeOf(() => replaySnapshot(database, trips))];
      if (round < 0) continue;
      times.report.push(report);
      times.queries.push(queries);
    }
    const [report, queries] = [median(times.report), median(times.queries)];
    return [
      {
        name: 'report: database round trips',
        // BEGIN shares the first one, COMMIT has one of its own.
        value: trips.length + 1,
        unit: '',
        bar: { kind: 'at most', limit: maxRoundTrips },
      },
      latencyRatio('report / the same queries alone', queries, report, maxOverQueries),
    ];
  } finally {
    await database.close();
  }
}

function orderOf(tenantId: TenantId, projectId: string): Parameters<typeof makeReport>[1] {
  const request = {
    selection: null,
    project_id: projectId,
    locale: null,
    include_evidence_checks: true,
    include_archived: false,
    period: null,
  };
  return { tenantId, request, form: 'json' };
}
