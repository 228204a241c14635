import {
  context,
  type HrTime,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { millisToHrTime } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { collectorUrl, exportTimeoutMs } from './export-metrics.ts';
import { disableTracing, type EndedSpan, enableTracing } from './tracing.ts';

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

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
const unset = { code: SpanStatusCode.UNSET };
const failed = { code: SpanStatusCode.ERROR };
const none: [] = [];

type Origin = Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;

/**
 * A request or a call as a span for the exporter. A span of the SDK costs three times as much: it copies its attributes twice and applies
 * limits. This one is small, because thousands wait for the next export, and each collection of garbage copies them.
 */
export class ExportedSpan implements ReadableSpan {
  readonly parentSpanContext?: SpanContext;
  readonly #span: EndedSpan;
  readonly #origin: Origin;

  constructor(span: EndedSpan, origin: Origin) {
    if (span.parent !== undefined) this.parentSpanContext = span.parent;
    this.#span = span;
    this.#origin = origin;
  }

  spanContext(): SpanContext {
    return this.#span.context;
  }

  get name(): string {
    return this.#span.name;
  }

  get kind(): SpanKind {
    return kinds[this.#span.role];
  }

  get startTime(): HrTime {
    return millisToHrTime(this.#span.startedAt);
  }

  get endTime(): HrTime {
    return millisToHrTime(this.#span.startedAt + this.#span.ms);
  }

  get duration(): HrTime {
    return millisToHrTime(this.#span.ms);
  }

  get status(): ReadableSpan['status'] {
    return this.#span.isFault ? failed : unset;
  }

  get attributes(): ReadableSpan['attributes'] {
    return this.#span.attributes;
  }

  get resource(): ReadableSpan['resource'] {
    return this.#origin.resource;
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return this.#origin.instrumentationScope;
  }

  get links(): [] {
    return none;
  }

  get events(): [] {
    return none;
  }

  get ended(): true {
    return true;
  }

  get droppedAttributesCount(): number {
    return 0;
  }

  get droppedEventsCount(): number {
    return 0;
  }

  get droppedLinksCount(): number {
    return 0;
  }
}
