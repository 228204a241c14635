import { type HrTime, type SpanContext, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { EndedSpan } from './tracing.ts';

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
