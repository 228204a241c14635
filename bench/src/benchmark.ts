import type { Servers } from './servers/servers.ts';
import type { Stores } from './servers/stores.ts';

/** The limit for a result. */
export interface Bar {
  kind: 'at least' | 'at most' | 'more than';
  limit: number;
}

/** One number of the report. */
export interface Finding {
  name: string;
  value: number;
  unit: string;
  bar?: Bar;
  /** The figures from which the value was computed. */
  note?: string;
}

/** The rate and latency of one kind of request under one load. */
export interface Throughput {
  name: string;
  connections: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The same SQL statements, sent by a process that does nothing else. */
  direct?: { perSecond: number; ratio: number };
}

/** A table of its own in the report. */
export interface Table {
  head: string[];
  rows: string[][];
  /** Names of the columns that are aligned to the right. */
  right: string[];
}

export interface Outcome {
  throughputs: Throughput[];
  findings: Finding[];
  tables?: Table[];
}

/** The servers and options of a run. */
export interface Bench {
  stores: Stores;
  servers: Servers;
  /** True for a smoke test: small data, meaningless numbers. */
  isQuick: boolean;
  /** True for a run at the largest sizes. */
  isLarge: boolean;
  /** Writes a line of progress to standard error. */
  log: (line: string) => void;
}

export interface Benchmark {
  name: string;
  summary: string;
  run: (bench: Bench) => Promise<Outcome>;
}

/** True if the finding meets its bar or has none. */
export function meetsBar({ value, bar }: Finding): boolean {
  if (bar === undefined) return true;
  if (bar.kind === 'more than') return value > bar.limit;
  return bar.kind === 'at least' ? value >= bar.limit : value <= bar.limit;
}
