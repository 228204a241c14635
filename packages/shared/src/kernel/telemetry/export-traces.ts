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
import { callSpan } from './call-span.ts';
import { collectorUrl, exportTimeoutMs } from './exporter.ts';
import { disableTracing, enableTracing } from './tracing.ts';

const instrumentationScope = { name: 'continuity' };

/** Limit of the spans that wait for the next export. Further spans are dropped and counted in a warning. */
const maxQueueSize = 16_384;

/**
 * Limit of the spans of one export. An export costs up to a millisecond besides its spans, and 2,048 spans take the event loop
 * about 5 ms.
 */
const maxExportBatchSize = 2_048;

export interface TracesExport {
  shutdown(): Promise<void>;
}

/** Starts the trace SDK and enables the spans of this process. `ratio` samples the traces that begin here. */
export function exportTraces(resource: Resource, endpoint: string, ratio: number): TracesExport {
  const exporter = new OTLPTraceExporter({
    url: collectorUrl(endpoint, 'traces'),
    timeoutMillis: exportTimeoutMs,
  });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize,
    maxExportBatchSize,
    scheduledDelayMillis: 1_000,
  });
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: samplerOf(ratio) }),
    spanProcessors: [processor],
  });
  if (!context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())) {
    throw new Error('Telemetry is started once a process.');
  }
  enableTracing(provider.getTracer(instrumentationScope.name), (call) =>
    processor.onEnd(callSpan(call, { resource, instrumentationScope })),
  );
  return {
    shutdown: async () => {
      disableTracing();
      await provider.shutdown();
      context.disable();
    },
  };
}

/** Sampling all traces, the default, needs no look at the trace id. */
function samplerOf(ratio: number): Sampler {
  return ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
}
