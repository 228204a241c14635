import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  MeterProvider,
  MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { Metrics } from './metrics.ts';
import { toOpenMetrics } from './open-metrics.ts';
import { watchProcess } from './process-metrics.ts';

/** Limit of one export including retries, in milliseconds. A shutdown may take this much longer. */
export const exportTimeoutMs = 4_000;

/** Address of a collector for one kind of signal (OTLP over HTTP). */
export function collectorUrl(endpoint: string, signal: 'traces' | 'metrics'): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
}

/** Limit of the time that one collection waits for observed values, in milliseconds. The checks of readiness take up to 2 s. */
const readingMs = 4_000;

interface MetricsExport {
  metrics: Metrics;
  /** Text of `/metrics`. */
  scrape(): Promise<string>;
  shutdown(): Promise<void>;
}

/** Starts the metrics SDK, which exports to a collector, serves `/metrics`, or both. */
export async function exportMetrics(
  resource: Resource,
  endpoint: string | undefined,
  onError: (error: unknown) => void,
): Promise<MetricsExport> {
  // One reader for both: a second reader that is never collected would accumulate every change since the start.
  const reader = endpoint === undefined ? new IdleReader() : await pushingReader(endpoint);
  const provider = new MeterProvider({ resource, readers: [reader] });
  const meter = provider.getMeter('continuity');
  const stopWatching = watchProcess(meter);
  return {
    metrics: new Metrics(meter),
    scrape: async () => {
      const { resourceMetrics, errors } = await reader.collect({ timeoutMillis: readingMs });
      for (const error of errors) onError(error);
      return toOpenMetrics(resourceMetrics);
    },
    shutdown: async () => {
      stopWatching();
      await provider.shutdown();
    },
  };
}

async function pushingReader(endpoint: string): Promise<MetricReader> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const url = collectorUrl(endpoint, 'metrics');
  // Always cumulative, because `/metrics` reads the same sums.
  const temporalityPreference = AggregationTemporality.CUMULATIVE;
  const exporter = new OTLPMetricExporter({ url, temporalityPreference, timeoutMillis: exportTimeoutMs });
  return new PeriodicExportingMetricReader({ exporter });
}

/** Collects on demand. */
class IdleReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}
