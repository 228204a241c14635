import { randomUUID } from 'node:crypto';
import {
  type Attributes,
  context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from './trace-parent.ts';
import { activeTracer } from './tracing.ts';

/** The trace of an incoming request. */
export interface RequestTrace {
  /** 32 hex digits: `X-Service-Request-ID` (spec 00 §2). */
  id: string;
  /** Fields of the request's log line. */
  fields: { trace_id?: string; span_id?: string };
  /** Runs `work` with the trace as the active one. */
  run(work: () => void): void;
  end(name: string, attributes: Attributes, isFault: boolean): void;
}

/** Trace headers of an incoming request. */
export interface TraceHeaders {
  traceparent?: string | undefined;
  tracestate?: string | undefined;
}

/** A new request id: 32 hex digits, the form of a W3C trace id. */
export function newRequestId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Continues the caller's trace, or starts one. Without tracing, only the id is set. */
export function beginRequestTrace(headers: TraceHeaders): RequestTrace {
  const parent = parseTraceParent(headers.traceparent);
  const tracer = activeTracer();
  if (tracer === null) return untraced(parent?.traceId ?? newRequestId());
  return traced(tracer, parent && withState(parent, headers.tracestate));
}

function untraced(id: string): RequestTrace {
  return { id, fields: {}, run: (work) => work(), end: () => undefined };
}

function traced(tracer: Tracer, parent: SpanContext | undefined): RequestTrace {
  const from = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, from);
  const inside = trace.setSpan(from, span);
  const { traceId, spanId } = span.spanContext();
  return {
    id: traceId,
    fields: { trace_id: traceId, span_id: spanId },
    run: (work) => context.with(inside, work),
    end: (name, attributes, isFault) => endSpan(span, name, attributes, isFault),
  };
}

function endSpan(span: Span, name: string, attributes: Attributes, isFault: boolean): void {
  span.updateName(name);
  span.setAttributes(attributes);
  if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function withState(parent: SpanContext, state: string | undefined): SpanContext {
  return state === undefined ? parent : { ...parent, traceState: createTraceState(state) };
}
