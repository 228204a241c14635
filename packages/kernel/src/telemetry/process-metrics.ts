import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import { instrumentOf } from './metric-definitions.ts';
import { gauge } from './metrics.ts';

/** Sampling interval of the event loop delay, in milliseconds. */
const resolution = 20;

const nanosecondsPerSecond = 1e9;
const microsecondsPerSecond = 1e6;

/** Observes memory, processor time and event loop delay of this process. Returns a function that stops it. */
export function watchProcess(meter: Meter): () => void {
  const memory = gauge(meter, 'processMemory');
  const delay = gauge(meter, 'eventLoopDelay');
  const { name, options } = instrumentOf('processCpu');
  const cpu = meter.createObservableCounter(name, options);
  const loop = monitorEventLoopDelay({ resolution });
  loop.enable();
  meter.addBatchObservableCallback(
    (result) => {
      const { rss, heapUsed, external } = process.memoryUsage();
      result.observe(memory, rss, { kind: 'rss' });
      result.observe(memory, heapUsed, { kind: 'heap_used' });
      result.observe(memory, external, { kind: 'external' });
      const { user, system } = process.cpuUsage();
      result.observe(cpu, user / microsecondsPerSecond, { mode: 'user' });
      result.observe(cpu, system / microsecondsPerSecond, { mode: 'system' });
      // The histogram holds intervals between samples: the part above the resolution is delay.
      const late = (nanoseconds: number) =>
        Math.max(nanoseconds / nanosecondsPerSecond - resolution / 1000, 0);
      if (loop.count === 0) return;
      result.observe(delay, late(loop.percentile(50)), { quantile: 'p50' });
      result.observe(delay, late(loop.percentile(99)), { quantile: 'p99' });
      result.observe(delay, late(loop.max), { quantile: 'max' });
      loop.reset();
    },
    [memory, cpu, delay],
  );
  return () => loop.disable();
}
