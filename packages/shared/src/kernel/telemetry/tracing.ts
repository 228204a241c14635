import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { describeFailure } from './describe-failure.ts';
import { formatTraceParent, parseTraceParent } from './trace-parent.ts';

/** What a span stands for: work inside the process, a question to another one, a job given away. */
export type SpanRole = 'internal' | 'client' | 'producer';

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER };

/** As OpenTelemetry has it: one tracer and one context manager a process. Null costs one comparison a span. */
let tracer: Tracer | null = null;

/** Switches the spans of this process on, or off with null. Only `startTelemetry` does. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** The tracer of this process; null where tracing is off. */
export function activeTracer(): Tracer | null {
  return tracer;
}

/**
 * Runs `work` in a span of the trace that is active; what no request or job caused has none. Names and attributes are of
 * the program, never of what a request holds (spec 20 M21).
 */
export function withSpan<T>(
  name: string,
  { role = 'internal', attributes = {} }: { role?: SpanRole; attributes?: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  if (tracer === null || trace.getActiveSpan() === undefined) return work();
  return inSpan(tracer, name, kinds[role], attributes, context.active(), work);
}

/** Runs the work of a job in a span that goes on with the trace of its request, a `traceparent` (spec 00 §7). */
export function withTrace<T>(
  parent: string | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (tracer === null) return work();
  const remote = parseTraceParent(parent);
  const from = remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
  return inSpan(tracer, name, SpanKind.CONSUMER, attributes, from, work);
}

/** `traceparent` of the active span, for a job's row or an outgoing request; null where nothing is traced. */
export function currentTrace(): string | null {
  if (tracer === null) return null;
  const span = trace.getActiveSpan();
  return span === undefined ? null : formatTraceParent(span.spanContext());
}

/** Headers that let another service go on with the active trace. */
export function traceHeaders(): Record<string, string> {
  const traceparent = currentTrace();
  return traceparent === null ? {} : { traceparent };
}

/** Marks the active span as failed, for an error that is handled inside of it. */
export function markFailed(error: unknown): void {
  const span = tracer === null ? undefined : trace.getActiveSpan();
  if (span !== undefined) mark(span, error);
}

/** The trace that a log line belongs to, as its fields. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  if (tracer === null) return {};
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

async function inSpan<T>(
  tracing: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracing.startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    mark(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function mark(span: Span, error: unknown): void {
  const { type, isFault } = describeFailure(error);
  span.setAttribute('error.type', type);
  if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
}
