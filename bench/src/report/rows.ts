import type { Finding, Throughput } from '../benchmark.ts';
import { type HttpResult, latencyOf } from '../load/http-load.ts';
import { median } from './median.ts';

/** The row of one group of a load over one connection. Its rate counts the time of this group alone. */
export function groupRow(name: string, result: HttpResult, group: string): Throughput {
  const { p50Ms, p99Ms, meanMs } = latencyOf(result, group);
  return { name, connections: 1, perSecond: 1_000 / meanMs, p50Ms, p99Ms };
}

/** The row of several rounds of one load: the median of each figure. */
export function medianRow(name: string, connections: number, results: HttpResult[]): Throughput {
  const latencies = results.map((result) => latencyOf(result));
  return {
    name,
    connections,
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    p50Ms: median(latencies.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(latencies.map(({ p99Ms }) => p99Ms)),
  };
}

/** The ratio of two median latencies in milliseconds, with a bar of at most `limit`. */
export function latencyRatio(name: string, beforeMs: number, afterMs: number, limit?: number): Finding {
  return {
    name,
    value: afterMs / beforeMs,
    unit: '×',
    ...(limit !== undefined && { bar: { kind: 'at most', limit } }),
    note: `medians, ${beforeMs.toFixed(2)} and ${afterMs.toFixed(2)} ms`,
  };
}
