import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  /** 2 is an error. */
  status: number;
  attributes: Record<string, unknown>;
  /** `service.name` of the sending process. */
  service: unknown;
}

/** An OpenTelemetry collector: receives OTLP over HTTP with JSON. */
export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Names of the received metrics. */
  metricNames: Set<string>;
  /** Every received body, as text. */
  received: string[];
  stop(): Promise<void>;
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const metricNames = new Set<string>();
  const received: string[] = [];
  const server = createServer((request, response) => {
    readExport(request).then(
      (body) => {
        received.push(JSON.stringify(body));
        spans.push(...(body.resourceSpans ?? []).flatMap(spansOf));
        for (const name of (body.resourceMetrics ?? []).flatMap(namesOf)) metricNames.add(name);
        response.setHeader('content-type', 'application/json').end('{}');
      },
      // The sender was killed, or the collector stops.
      () => response.destroy(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metricNames,
    received,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

interface ResourceSpans {
  resource: { attributes: KeyValue[] };
  scopeSpans: {
    spans: (Omit<CollectedSpan, 'attributes' | 'status' | 'service'> & {
      attributes?: KeyValue[];
      status?: { code?: number };
    })[];
  }[];
}

interface ResourceMetrics {
  scopeMetrics: { metrics: { name: string }[] }[];
}

interface Export {
  resourceSpans?: ResourceSpans[];
  resourceMetrics?: ResourceMetrics[];
}

async function readExport(request: IncomingMessage): Promise<Export> {
  return (await json(request)) as Export;
}

function spansOf({ resource, scopeSpans }: ResourceSpans): CollectedSpan[] {
  const service = valuesOf(resource.attributes)['service.name'];
  return scopeSpans
    .flatMap((scope) => scope.spans)
    .map(({ traceId, spanId, parentSpanId, name, kind, attributes = [], status }) => ({
      traceId,
      spanId,
      parentSpanId: parentSpanId || undefined,
      name,
      kind,
      status: status?.code ?? 0,
      attributes: valuesOf(attributes),
      service,
    }));
}

function namesOf({ scopeMetrics }: ResourceMetrics): string[] {
  return scopeMetrics.flatMap((scope) => scope.metrics).map(({ name }) => name);
}

function valuesOf(attributes: KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
