import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Finding, Table } from '../benchmark.ts';
import { type HttpLoad, type HttpResult, latencyOf, send } from '../load/http-load.ts';
import type { Latency } from '../load/latency.ts';
import type { Wall } from './wall.ts';

/** Light requests of one measurement, and the time in which they are sent at equal intervals. */
interface Timing {
  lightRequests: number;
  windowMs: number;
}

export function timingOf({ isQuick }: Bench): Timing {
  return isQuick ? { lightRequests: 5, windowMs: 200 } : { lightRequests: 1_000, windowMs: 10_000 };
}

/** Share of the window by which the attack precedes the light requests, so that it reaches its full load. */
const leadShare = 0.05;

export interface MeasuredWall {
  findings: Finding[];
  row: string[];
}

/** Columns of the table of all walls. Latencies are p50, p95, p99 and worst, in milliseconds. */
export const wallColumns: Pick<Table, 'head' | 'right'> = {
  head: ['wall', 'quiet', 'beside the attack', 'refused', 'attack'],
  right: ['refused'],
};

/** Measures the latency of the light tenant without the attack and beside it. */
export async function measureWall(
  { log }: Bench,
  url: string,
  load: HttpLoad,
  wall: Wall,
  timing: Timing,
): Promise<MeasuredWall> {
  log(`walls: ${wall.name}`);
  await sendLight(load, url, wall, { ...timing, windowMs: timing.windowMs / 5 });
  const quiet = await sendLight(load, url, wall, timing);
  const leadMs = timing.windowMs * leadShare;
  const attack = wall.attack(timing.windowMs + 2 * leadMs);
  // The light requests are measured first; then the caller gets the error of the attack.
  attack.catch(() => undefined);
  await sleep(leadMs);
  const beside = await sendLight(load, url, wall, timing);
  const attacked = await attack;
  const refused = refusalsIn(beside);
  return {
    findings: findingsOf(wall, latencyOf(quiet), latencyOf(beside), refused, attacked),
    row: [wall.name, describe(latencyOf(quiet)), describe(latencyOf(beside)), String(refused), attacked],
  };
}

async function sendLight(
  load: HttpLoad,
  url: string,
  { light }: Wall,
  { lightRequests, windowMs }: Timing,
): Promise<HttpResult> {
  return await send(load, [url], light, {
    connections: 1,
    repeats: true,
    maxMs: windowMs,
    intervalMs: windowMs / lightRequests,
    allowFailures: true,
  });
}

function refusalsIn({ statuses }: HttpResult): number {
  return Object.entries(statuses)
    .filter(([status]) => !status.startsWith('2'))
    .reduce((sum, [, count]) => sum + count, 0);
}

function findingsOf(
  { name, bars, mayRefuse = false }: Wall,
  quiet: Latency,
  beside: Latency,
  refused: number,
  attack: string,
): Finding[] {
  const findings: Finding[] = [];
  const addRatio = (percentile: string, before: number, after: number, limit: number | undefined) => {
    if (limit === undefined) return;
    findings.push({
      name: `${name}: ${percentile} of the light tenant, beside the attack / quiet`,
      value: after / before,
      unit: '×',
      bar: { kind: 'at most', limit },
      note: `${before.toFixed(2)} and ${after.toFixed(2)} ms`,
    });
  };
  addRatio('p95', quiet.p95Ms, beside.p95Ms, bars.p95Ratio);
  addRatio('p99', quiet.p99Ms, beside.p99Ms, bars.p99Ratio);
  findings.push({
    name: `${name}: worst of the light tenant beside the attack`,
    value: beside.maxMs,
    unit: 'ms',
    bar: { kind: 'at most', limit: bars.worstMs },
    note: attack,
  });
  findings.push({
    name: `${name}: light requests that were refused`,
    value: refused,
    unit: '',
    ...(!mayRefuse && { bar: { kind: 'at most', limit: 0 } }),
  });
  return findings;
}

function describe({ p50Ms, p95Ms, p99Ms, maxMs }: Latency): string {
  return [p50Ms, p95Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1)).join(' / ');
}
