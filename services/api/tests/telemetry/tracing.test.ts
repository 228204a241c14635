import { type CollectedSpan, type Collector, startCollector, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectLines } from '../support/log-lines.ts';
import { startService, type TestService } from '../support/service.ts';

const server = 2;
const client = 3;
const producer = 4;
const consumer = 5;

const lines = collectLines();
let collector: Collector;
let service: TestService;

beforeAll(async () => {
  collector = await startCollector();
  service = await startService({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'info' },
    workers: true,
    logs: lines,
  });
});

afterAll(async () => {
  await service?.stop();
  await collector?.stop();
});

/** The spans of a trace once one of this name has come. */
async function traceWith(id: string | null, name: string): Promise<CollectedSpan[]> {
  const spans = () => collector.spans.filter((span) => span.traceId === id);
  await waitUntil(() => spans().some((span) => span.name === name), { what: `span ${name} of ${id}` });
  return spans();
}

function named(spans: CollectedSpan[], name: string): CollectedSpan {
  const span = spans.find((one) => one.name === name);
  if (span === undefined)
    throw new Error(`No span ${name} among ${spans.map((one) => one.name).join(', ')}.`);
  return span;
}

test('the request id of an answer finds its trace: the operation, its transaction, every statement by its name', async () => {
  const { headers } = await service.call('remember_memory', {
    body: { scope_id: 'traced', kind: 'fact', text: 'A secret that no span may hold.' },
  });

  const spans = await traceWith(headers.get('x-service-request-id'), 'remember_memory');

  const request = named(spans, 'remember_memory');
  expect(request).toMatchObject({ kind: server, parentSpanId: undefined, status: 0, service: 'continuity' });
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/memory/remember',
  });
  const transaction = named(spans, 'transaction');
  expect(transaction.parentSpanId).toBe(request.spanId);
  const statements = spans.filter((span) => span.parentSpanId === transaction.spanId);
  expect(statements.length).toBeGreaterThan(0);
  for (const { kind, attributes } of statements) {
    expect(kind).toBe(client);
    expect(attributes).toEqual({ 'db.system.name': 'postgresql' });
  }
  expect(collector.received.join('')).not.toContain('A secret');
});

test('a request goes on with the trace of its caller', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { headers } = await service.call('get_capabilities', { headers: { traceparent } });

  expect(headers.get('x-service-request-id')).toBe('0af7651916cd43dd8448eb211c80319c');
  const spans = await traceWith('0af7651916cd43dd8448eb211c80319c', 'get_capabilities');
  expect(named(spans, 'get_capabilities').parentSpanId).toBe('b7ad6b7169203331');
});

test('a caller that does not want to be traced is not, and has its request id all the same', async () => {
  const traceparent = '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
  const { headers } = await service.call('get_capabilities', { headers: { traceparent } });
  expect(headers.get('x-service-request-id')).toBe('1af7651916cd43dd8448eb211c80319c');

  const later = await service.call('get_capabilities');
  await traceWith(later.headers.get('x-service-request-id'), 'get_capabilities');
  expect(collector.spans.filter(({ traceId }) => traceId === '1af7651916cd43dd8448eb211c80319c')).toEqual([]);
});

test('the trace of a request goes on in the worker, to its SQL', async () => {
  const scope_id = 'traced-flush';
  const body = { scope_id, source_id: 'one', content: 'We decided to use PostgreSQL 18 everywhere.' };
  await service.call('capture_content_source', { body });
  const { headers } = await service.call('flush_memory', { body: { scope_id } });

  const id = headers.get('x-service-request-id');
  await traceWith(id, 'process memory-flush');
  const spans = await traceWith(id, 'flush_memory');

  const sent = named(spans, 'send memory-flush');
  expect(sent.kind).toBe(producer);
  const run = named(spans, 'process memory-flush');
  expect(run).toMatchObject({ kind: consumer, parentSpanId: sent.spanId, status: 0 });
  expect(run.attributes).toMatchObject({ 'continuity.operation': 'flush_memory' });
  expect(spans.some((span) => span.parentSpanId === run.spanId && span.kind === client)).toBe(true);
  const line = await waitUntil(() => lines.named('job').find((one) => one['trace_id'] === id));
  expect(line).toMatchObject({ queue: 'memory-flush', operation: 'flush_memory', outcome: 'succeeded' });
});

test('an error answer is in its span, and only a failure of the service makes it a failed one', async () => {
  const unknown = await service.send('GET', '/v1/nothing/here');
  const id = unknown.headers.get('x-service-request-id');
  const request = named(await traceWith(id, 'unknown_route'), 'unknown_route');
  expect(request).toMatchObject({ status: 0, attributes: { 'error.type': 'not_found' } });
});

test('statements that no request and no job caused make no traces of their own', async () => {
  await waitUntil(() => collector.spans.some(({ name }) => name === 'process memory-flush'));
  const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(roots.filter(({ kind }) => kind === client)).toEqual([]);
});
