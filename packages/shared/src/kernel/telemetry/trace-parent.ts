import type { SpanContext } from '@opentelemetry/api';

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
