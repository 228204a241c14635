import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { collectorUrl, exportTimeoutMs } from './exporter.ts';
import { setTracer } from './tracing.ts';

/** Limit of the spans that wait for the next export. Further spans are dropped and counted in a warning. */
const maxQueueSize = 16_384;

export interface TracesExport {
  shutdown(): Promise<void>;
}

/** Starts the trace SDK and enables the spans of this process. `ratio` samples the traces that begin here. */
export function exportTraces(resource: Resource, endpoint: string, ratio: number): TracesExport {
  const exporter = new OTLPTraceExporter({
    url: collectorUrl(endpoint, 'traces'),
    timeoutMillis: exportTimeoutMs,
  });
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize, scheduledDelayMillis: 1_000 });
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: samplerOf(ratio) }),
    spanProcessors: [processor],
  });
  if (!context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())) {
    throw new Error('Telemetry is started once a process.');
  }
  setTracer(provider.getTracer('continuity'));
  return {
    shutdown: async () => {
      setTracer(null);
      await provider.shutdown();
      context.disable();
    },
  };
}

/** Sampling all traces, the default, needs no look at the trace id. */
function samplerOf(ratio: number): Sampler {
  return ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
}
