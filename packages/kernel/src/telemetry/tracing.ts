import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { describeFailure } from './safe-error.ts';

/** Kind of a span: internal work, a call to another process, or a submitted or consumed job. */
type SpanRole = 'internal' | 'client' | 'producer';

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER };

/** A request, or a call to a store, that has ended. */
export interface EndedSpan {
  role: 'server' | 'client';
  name: string;
  attributes: Attributes;
  context: SpanContext;
  parent: SpanContext | undefined;
  /** Unix time of the start, and duration, in milliseconds. */
  startedAt: number;
  ms: number;
  isFault: boolean;
}

/** The tracing of a process. */
export interface Tracing {
  tracer: Tracer;
  /** A context for a span below `parent`; without one, for the first span of a trace. */
  newContext(parent: SpanContext | undefined): SpanContext;
  /** Exports a span, unless its trace is not sampled. */
  record(span: EndedSpan): void;
}

/** One for each process. Null disables tracing, at the cost of one comparison for each span. */
let tracing: Tracing | null = null;

/** Enables the spans of this process. Only `startTelemetry` calls it. */
export function enableTracing(next: Tracing): void {
  tracing = next;
}

/** Disables the spans of this process. */
export function disableTracing(): void {
  tracing = null;
}

/** The tracing of this process; null without tracing. */
export function activeTracing(): Tracing | null {
  return tracing;
}

/**
 * Runs `work` in a span of the active trace. Work that no request or job caused has no span. Names and attributes come from
 * the program, never from content (spec 20 M21).
 */
export function withSpan<T>(
  name: string,
  { role = 'internal', attributes = {} }: { role?: SpanRole; attributes?: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null || trace.getActiveSpan() === undefined) return work();
  return inSpan(tracing, name, kinds[role], attributes, context.active(), work);
}

/**
 * Runs a call to a store as a span of the active trace, which costs a third of `withSpan`. The active span stays that of the
 * caller, so `work` must begin no span.
 */
export function withCallSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (tracing === null) return work();
  const parent = trace.getActiveSpan()?.spanContext();
  if (parent === undefined || (parent.traceFlags & TraceFlags.SAMPLED) === 0) return work();
  return inCall(tracing, name, attributes, parent, work);
}

/** Runs the work of a job in a span of its request's trace, given as `traceparent` (spec 00 §7). */
export function withTrace<T>(
  parent: string | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work();
  const remote = parseTraceParent(parent);
  const from = remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
  return inSpan(tracing, name, SpanKind.CONSUMER, attributes, from, work);
}

/** `traceparent` of the active span, for a job's row or an outgoing request; null without a trace. */
export function currentTrace(): string | null {
  if (tracing === null) return null;
  const span = trace.getActiveSpan();
  return span === undefined ? null : formatTraceParent(span.spanContext());
}

/** Headers that propagate the active trace to another service. */
export function traceHeaders(): Record<string, string> {
  const traceparent = currentTrace();
  return traceparent === null ? {} : { traceparent };
}

/** Marks the active span as failed, for an error that is handled inside it. */
export function markFailed(error: unknown): void {
  const span = tracing === null ? undefined : trace.getActiveSpan();
  if (span !== undefined) mark(span, error);
}

/** Log fields of the active trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  if (tracing === null) return {};
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

async function inSpan<T>(
  { tracer }: Tracing,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    mark(span, error);
    throw error;
  } finally {
    span.end();
  }
}

async function inCall<T>(
  { newContext, record }: Tracing,
  name: string,
  attributes: Attributes,
  parent: SpanContext,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const begun = performance.now();
  const end = (attributes: Attributes, isFault: boolean) => {
    const ms = performance.now() - begun;
    record({ role: 'client', name, attributes, context: newContext(parent), parent, startedAt, ms, isFault });
  };
  try {
    const answer = await work();
    end(attributes, false);
    return answer;
  } catch (error) {
    const { type, isFault } = describeFailure(error);
    end({ ...attributes, 'error.type': type }, isFault);
    throw error;
  }
}

function mark(span: Span, error: unknown): void {
  const { type, isFault } = describeFailure(error);
  span.setAttribute('error.type', type);
  if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** `version-traceid-parentid-flags`; a later version may append fields (W3C Trace Context, level 2, §3.2). */
const traceParent =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent`. Undefined for an invalid value; the request then starts its own trace. */
export function parseTraceParent(value: string | null | undefined): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = traceParent.exec(value?.trim() ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** Formats a span context as `traceparent`. */
export function formatTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
