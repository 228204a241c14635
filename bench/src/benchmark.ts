import type { Stores } from './servers/stores.ts';

/** What a result is held against. */
export interface Bar {
  kind: 'at least' | 'at most' | 'more than';
  limit: number;
}

/** One number of the report. */
export interface Finding {
  what: string;
  value: number;
  unit: string;
  bar?: Bar;
  /** What the value was made from, for who reads it. */
  note?: string;
}

/** Requests or transactions of one kind under one load. */
export interface Throughput {
  what: string;
  connections: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The same statements sent by a program that does nothing else. */
  direct?: { perSecond: number; ratio: number };
}

/** What fits neither of those. */
export interface Table {
  head: string[];
  rows: string[][];
  /** Columns that are aligned to the right. */
  right: string[];
}

export interface Outcome {
  throughputs: Throughput[];
  findings: Finding[];
  tables?: Table[];
}

/** What every benchmark gets. */
export interface Bench {
  stores: Stores;
  /** True for a run that only shows that everything works; its numbers mean nothing. */
  isQuick: boolean;
  /** Says on standard error what is being done. */
  say: (line: string) => void;
}

export interface Benchmark {
  name: string;
  summary: string;
  run: (bench: Bench) => Promise<Outcome>;
}

/** Whether a finding meets its bar; true without one. */
export function meetsBar({ value, bar }: Finding): boolean {
  if (bar === undefined) return true;
  if (bar.kind === 'more than') return value > bar.limit;
  return bar.kind === 'at least' ? value >= bar.limit : value <= bar.limit;
}
