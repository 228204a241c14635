import {
  type CollectedSpan,
  type Collector,
  type InferenceStub,
  type RunningProcess,
  startCollector,
  startInferenceStub,
  waitUntil,
} from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceOf } from '../support/generation.ts';
import { handoffCalls } from '../support/handoff.ts';
import { collectLines } from '../support/log-lines.ts';
import { freshScope } from '../support/memory.ts';
import { startReportWorkerProcess } from '../support/report-worker-process.ts';
import { exact, reportCalls } from '../support/reports.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

/** Part of every content, of the key of the model, and of its answers and errors. */
const secret = 'kanarienvogel';
const callerSpan = 'b7ad6b7169203331';
const client = 3;

const lines = collectLines();
let collector: Collector;
let stub: InferenceStub;
let service: TestService;
let worker: RunningProcess;
let reportWorker: RunningProcess;

beforeAll(async () => {
  [collector, stub] = await Promise.all([startCollector(), startInferenceStub()]);
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    LOG_LEVEL: 'trace',
    MEMORY_AUTO_FLUSH: 'off',
    MEMORY_RERANK_ENABLED: 'on',
    INFERENCE_GENERATION_MODEL: 'stub',
    INFERENCE_BASE_URL: stub.url,
    INFERENCE_API_KEY: `key-of-a-${secret}`,
    INFERENCE_GENERATION_MAX_REQUESTS: '1',
  };
  service = await startService({ environment, logs: lines });
  const started = startWorkerProcess(service, { ...environment, INFERENCE_TRACE_CONTEXT: 'on' });
  [worker, reportWorker] = await Promise.all([started, startReportWorkerProcess(service, environment)]);
});

afterAll(async () => {
  await service?.stop();
  for (const process of [worker, reportWorker]) await process?.[Symbol.asyncDispose]();
  await Promise.all([collector?.stop(), stub?.close()]);
});

/** Sends a request in a trace of its caller, and returns the spans of that trace once the last of `names` has come. */
async function trace(
  send: (headers: { traceparent: string }) => Promise<unknown>,
  names: string[],
): Promise<CollectedSpan[]> {
  const traceId = crypto.randomUUID().replaceAll('-', '');
  await send({ traceparent: `00-${traceId}-${callerSpan}-01` });
  const spans = () => collector.spans.filter((span) => span.traceId === traceId);
  const hasAll = () => names.every((name) => spans().some((span) => span.name === name));
  await waitUntil(hasAll, { what: `the spans ${names.join(', ')}` });
  return spans();
}

function named(spans: CollectedSpan[], name: string): CollectedSpan {
  const span = spans.find((one) => one.name === name);
  if (span === undefined) throw new Error(`There is no span ${name}.`);
  return span;
}

/** The names of the spans from the request of the caller down to this one. */
function pathOf(spans: CollectedSpan[], span: CollectedSpan): string[] {
  if (span.parentSpanId === callerSpan) return [span.name];
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  if (parent === undefined) throw new Error(`${span.name} has no parent in its trace.`);
  return [...pathOf(spans, parent), span.name];
}

const isStatement = ({ kind, name }: CollectedSpan) => kind === client && name !== 'ask model';

/** Each statement is a span with its name and no value. */
function expectStatements(spans: CollectedSpan[], process: string): void {
  const statements = spans.filter((span) => isStatement(span) && span.service === process);
  expect(statements.length).toBeGreaterThan(0);
  for (const { name, attributes } of statements) {
    expect(name).toMatch(/^(\w+|\w+\.\w+)$/);
    expect(Object.keys(attributes).filter((key) => key !== 'db.system.name' && key !== 'error.type')).toEqual(
      [],
    );
  }
}

test('a direct operation: the request of its caller, its transaction and its statements', async () => {
  const body = { scope_id: freshScope(), kind: 'fact' as const, text: `A ${secret}.` };
  const spans = await trace(
    (headers) => service.call('remember_memory', { body, headers }),
    ['remember_memory'],
  );
  expect(named(spans, 'remember_memory').parentSpanId).toBe(callerSpan);
  for (const span of spans) expect(pathOf(spans, span)[0]).toBe('remember_memory');
  expectStatements(spans, 'continuity');
});

test('a search with a reranker: its model call, which sends no trace context by default', async () => {
  const scope_id = freshScope();
  for (const text of [`The ${secret} sings.`, `The ${secret} sleeps.`])
    await service.call('remember_memory', { body: { scope_id, kind: 'fact', text } });
  stub.requests.length = 0;
  const spans = await trace(
    (headers) => service.call('search_memory', { body: { scope_id, query: secret }, headers }),
    ['search_memory', 'ask model'],
  );
  expect(pathOf(spans, named(spans, 'ask model'))).toEqual(['search_memory', 'ask model']);
  expect(stub.requests.length).toBeGreaterThan(0);
  for (const { headers } of stub.requests) expect(headers).not.toHaveProperty('traceparent');
});

test('a flush with a model: the queue, the worker, its model call and its statements', async () => {
  const scope = freshScope();
  await capture(service, scope, 'one', `We decided to use a ${secret}.`);
  stub.respondWith(() => ({ content: JSON.stringify({ proposals: [] }) }));
  stub.requests.length = 0;
  const spans = await trace(
    (headers) => service.call('flush_memory', { body: { scope_id: scope }, headers }),
    ['flush_memory', 'process memory-flush'],
  );
  const run = ['flush_memory', 'send memory-flush', 'process memory-flush'];
  const asked = named(spans, 'ask model');
  expect(pathOf(spans, asked)).toEqual([...run, 'ask model']);
  expect(asked.service).toBe('continuity-workers');
  // INFERENCE_TRACE_CONTEXT is on in this worker.
  expect(stub.requests.map(({ headers }) => headers['traceparent'])).toEqual([
    `00-${asked.traceId}-${asked.spanId}-01`,
  ]);
  for (const { headers } of stub.requests) expect(headers).not.toHaveProperty('tracestate');
  for (const span of spans.filter((one) => one.service === 'continuity-workers'))
    expect(pathOf(spans, span).slice(0, 3)).toEqual(run);
  expectStatements(spans, 'continuity');
  expectStatements(spans, 'continuity-workers');
});

test('a report: the queue, the report worker and its statements', async () => {
  const scope = freshScope();
  await handoffCalls(service).ground(scope);
  await reportCalls(service).commit(scope, 0, `The ${secret} sings.`);
  const spans = await trace(
    (headers) => reportCalls(service).get(exact(scope), headers),
    ['get_handoff_report', 'process report-render'],
  );
  const run = named(spans, 'process report-render');
  expect(run.service).toBe('continuity-reports');
  expect(pathOf(spans, run)).toEqual(['get_handoff_report', 'send report-render', 'process report-render']);
  expectStatements(spans, 'continuity-reports');
});

test('a generation: the queue, the worker, its model call and its statements', async () => {
  const scope = freshScope();
  await capture(service, scope, 'one', `Problem: the ${secret} was silent.`);
  const text = `A ${secret}.`;
  const proposal = { situation: text, action: text, outcome: text, lesson: text };
  stub.respondWith(() => ({ content: JSON.stringify({ proposal }) }));
  const body = { scope_id: scope, source_refs: [sourceOf('one')], artifact_refs: [] };
  const spans = await trace(
    (headers) => service.call('generate_experience', { body, headers }),
    ['generate_experience', 'process candidate-generation'],
  );
  const run = ['generate_experience', 'send candidate-generation', 'process candidate-generation'];
  expect(pathOf(spans, named(spans, 'ask model'))).toEqual([...run, 'ask model']);
  expectStatements(spans, 'continuity-workers');
});

test.each([
  ['refuses', { status: 400, body: JSON.stringify({ error: { message: `No ${secret} here.` } }) }],
  ['fails', { status: 500, body: secret }],
  ['answers without JSON', { content: `The ${secret} sings.` }],
  ['answers another shape', { content: JSON.stringify({ [secret]: [secret] }) }],
])(
  'a model that %s fails its span and its job, and neither says what was sent or answered',
  async (_, answer) => {
    const scope = freshScope();
    await capture(service, scope, 'one', `The ${secret} has a cage.`);
    stub.respondWith(() => answer);
    const body = { scope_id: scope, source_refs: [sourceOf('one')], artifact_refs: [] };
    const spans = await trace(
      (headers) => service.send('POST', '/v1/experience/generate', body, headers),
      ['generate_experience', 'process candidate-generation'],
    );
    const failed = 2;
    expect(named(spans, 'ask model').status).toBe(failed);
    const { traceId } = named(spans, 'process candidate-generation');
    const ofRun = () =>
      worker
        .output()
        .split('\n')
        .find((line) => line.includes(traceId) && line.includes('"outcome":"failed"'));
    await waitUntil(() => ofRun() !== undefined, { what: 'the log line of the failed run' });
  },
);

test('the log lines of all processes have trace ids, and no content and no secret', async () => {
  await waitUntil(() => reportWorker.output().includes('"msg":"job"'));
  for (const output of [worker.output(), reportWorker.output()]) {
    expect(output).not.toContain(secret);
    const jobs = output.split('\n').filter((line) => line.includes('"msg":"job"'));
    expect(jobs.length).toBeGreaterThan(0);
    for (const line of jobs)
      expect(JSON.parse(line)).toMatchObject({ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  }
  expect(lines.text()).not.toContain(secret);
  for (const line of lines.named('request')) expect(line['trace_id']).toBe(line['request_id']);
  expect(collector.received.join('')).not.toContain(secret);
});
