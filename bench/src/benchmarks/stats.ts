import type { ScopeSelection } from '@continuity/contract';
import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { insertDailyCounters } from '../data/daily-counters.ts';
import { vacuumTables } from '../data/fill-scope.ts';
import { seededRandom } from '../data/random.ts';
import { createScopes, scopeNames } from '../data/scopes.ts';
import { type HttpLoad, type HttpRequest, type HttpResult, latencyOf, send } from '../load/http-load.ts';
import { captureRequest, makeCapture, statsRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { latencyRatio, medianRow } from '../report/rows.ts';
import { type LoadedService, runOnService } from '../servers/run-on-service.ts';

const maxConcurrentByOne = 2;
const callers = 8;
const scopeName = 'counted';
const oneScope: ScopeSelection = { mode: 'exact', scope_ids: [`${scopeName}-0`] };

type Period = 'today' | '30d';

export const stats: Benchmark = {
  name: 'stats',
  summary: 'statistics of one Scope for one caller and for eight at once, and of 1,000 Scopes',
  run: (bench) =>
    runOnService(bench, {}, async (running) => {
      const scopeIds = scopeNames(scopeName, bench.isQuick ? 20 : 1_000);
      await fill(bench, running, scopeIds);
      return await measure(bench, running.service.urls, running.load, scopeIds.length);
    }),
};

/** Creates Scopes with one entry, two pending Sources and three days of counters each. */
async function fill(
  { log }: Bench,
  { url, databaseUrl, load }: LoadedService,
  scopeIds: string[],
): Promise<void> {
  log(`stats: filling ${scopeIds.length} Scopes`);
  const random = seededRandom(37);
  await createScopes(load, url, databaseUrl, scopeIds, random);
  const captures = [...scopeIds, ...scopeIds].map((scopeId) =>
    captureRequest(makeCapture(random, [scopeId])),
  );
  await send(load, [url], captures, { connections: 8 });
  await insertDailyCounters(databaseUrl, scopeIds);
  await vacuumTables(databaseUrl);
}

/** One load of a comparison. */
interface Side {
  name: string;
  request: HttpRequest;
  connections: number;
  /** Requests of each connection in a turn. */
  perTurn: number;
}

type Name = 'one' | 'oneAtOnce' | 'all';

function sidesFor(scopes: number, period: Period): Record<Name, Side> {
  const one = { name: `stats of one Scope, ${period}`, request: statsRequest(oneScope, period), perTurn: 50 };
  return {
    one: { ...one, connections: 1 },
    oneAtOnce: { ...one, connections: callers },
    all: {
      name: `stats of ${scopes} Scopes, ${period}`,
      request: statsRequest({ mode: 'all' }, period),
      connections: 1,
      perTurn: 3,
    },
  };
}

async function measure(bench: Bench, urls: string[], load: HttpLoad, scopes: number): Promise<Outcome> {
  const throughputs: Throughput[] = [];
  const findings: Finding[] = [];
  for (const period of ['today', '30d'] as const) {
    bench.log(`stats: ${period}`);
    const sides = sidesFor(scopes, period);
    const results = await inTurns(bench, urls, load, sides);
    throughputs.push(
      ...names(sides).map((name) => medianRow(sides[name].name, sides[name].connections, results[name])),
    );
    const { one, oneAtOnce, all } = results;
    findings.push(
      ratio(
        `stats of one Scope: ${callers} concurrent callers / one, ${period}`,
        one,
        oneAtOnce,
        maxConcurrentByOne,
      ),
      ratio(`stats: ${scopes} Scopes / one, ${period}`, one, all),
    );
  }
  return { throughputs, findings };
}

/** Runs all sides in turns, so that other load on the machine affects them equally. */
async function inTurns(
  { isQuick }: Bench,
  urls: string[],
  load: HttpLoad,
  sides: Record<Name, Side>,
): Promise<Record<Name, HttpResult[]>> {
  const results: Record<Name, HttpResult[]> = { one: [], oneAtOnce: [], all: [] };
  const rounds = isQuick ? 1 : 15;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names(sides)) {
      const { request, connections, perTurn } = sides[name];
      const requests = Array.from({ length: (isQuick ? 2 : perTurn) * connections }, () => request);
      const result = await send(load, urls, requests, { connections });
      // The first round is the warm-up.
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

function names(sides: Record<Name, Side>): Name[] {
  return Object.keys(sides) as Name[];
}

function p50Of(results: HttpResult[]): number {
  return median(results.map((result) => latencyOf(result).p50Ms));
}

function ratio(name: string, base: HttpResult[], other: HttpResult[], limit?: number): Finding {
  return latencyRatio(name, p50Of(base), p50Of(other), limit);
}
