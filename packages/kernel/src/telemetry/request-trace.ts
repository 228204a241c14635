import { randomUUID } from 'node:crypto';
import {
  type Attributes,
  context,
  createTraceState,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api';
import { activeTracing, parseTraceParent, type Tracing } from './tracing.ts';

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
interface TraceHeaders {
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
  const tracing = activeTracing();
  if (tracing === null) return untraced(parent?.traceId ?? newRequestId());
  return traced(tracing, parent && withState(parent, headers.tracestate));
}

function untraced(id: string): RequestTrace {
  return { id, fields: {}, run: (work) => work(), end: () => undefined };
}

function traced(tracing: Tracing, parent: SpanContext | undefined): RequestTrace {
  const span = tracing.newContext(parent);
  const inside = trace.setSpanContext(ROOT_CONTEXT, span);
  const startedAt = Date.now();
  const begun = performance.now();
  return {
    id: span.traceId,
    fields: { trace_id: span.traceId, span_id: span.spanId },
    run: (work) => context.with(inside, work),
    end: (name, attributes, isFault) => {
      const ms = performance.now() - begun;
      tracing.record({ role: 'server', name, attributes, context: span, parent, startedAt, ms, isFault });
    },
  };
}

function withState(parent: SpanContext, state: string | undefined): SpanContext {
  return state === undefined ? parent : { ...parent, traceState: createTraceState(state) };
}
