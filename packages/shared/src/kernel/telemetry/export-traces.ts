import { context, ROOT_CONTEXT, type SpanContext, SpanKind, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ExportedSpan } from './exported-span.ts';
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
  const sampler = new ParentBasedSampler({ root: samplerOf(ratio) });
  const provider = new TracerProvider({
    resource,
    sampler,
    spanProcessors: [processor],
  });
  if (!context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())) {
    throw new Error('Telemetry is started once a process.');
  }
  const origin = { resource, instrumentationScope };
  enableTracing({
    tracer: provider.getTracer(instrumentationScope.name),
    newContext: (parent) => newContext(sampler, parent),
    record: (span) => processor.onEnd(new ExportedSpan(span, origin)),
  });
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

const ids = new RandomIdGenerator();

/** The first span of a trace decides whether the whole trace is sampled. */
function newContext(sampler: Sampler, parent: SpanContext | undefined): SpanContext {
  const spanId = ids.generateSpanId();
  if (parent !== undefined) {
    return { ...parent, spanId, traceFlags: parent.traceFlags & TraceFlags.SAMPLED, isRemote: false };
  }
  const traceId = ids.generateTraceId();
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.SERVER, {}, []);
  const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
}
