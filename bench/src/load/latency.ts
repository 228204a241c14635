import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

const nanosecondsPerMs = 1e6;

/** Latency of single requests. */
export interface Latency {
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  meanMs: number;
  maxMs: number;
}

/** A histogram of durations from one nanosecond to ten minutes with three significant digits. */
export function openHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: 6e11, figures: 3 });
}

export function recordMs(histogram: RecordableHistogram, milliseconds: number): void {
  histogram.record(Math.max(1, Math.round(milliseconds * nanosecondsPerMs)));
}

export function readLatency(histogram: RecordableHistogram): Latency {
  return {
    p50Ms: histogram.percentile(50) / nanosecondsPerMs,
    p95Ms: histogram.percentile(95) / nanosecondsPerMs,
    p99Ms: histogram.percentile(99) / nanosecondsPerMs,
    meanMs: histogram.mean / nanosecondsPerMs,
    maxMs: histogram.max / nanosecondsPerMs,
  };
}
