import { type InferenceStub, type StubList, startInferenceStub, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { race } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let stub: InferenceStub | undefined;
let service: TestService;

afterEach(async () => {
  await service.stop();
  await stub?.close();
  stub = undefined;
});

const read = async () => {
  const { status, body } = await service.call('get_readiness');
  return { code: status, ...body };
};

test('spec 10 §2.2.3: workers whose heartbeats cannot be read within 2 s are `timeout`', async () => {
  service = await startService();
  expect((await read()).checks['worker.memory-flush']).toBe('unavailable');
  const other = new pg.Client({ connectionString: service.databaseUrl });
  await other.connect();
  try {
    await other.query('BEGIN; LOCK TABLE workers IN ACCESS EXCLUSIVE MODE');
    const late = await waitUntil(async () => {
      const readiness = await read();
      return readiness.checks['worker.memory-flush'] === 'timeout' && readiness;
    });
    expect(late).toMatchObject({
      code: 200,
      status: 'degraded',
      checks: {
        database: 'ready',
        'worker.memory-flush': 'timeout',
        'worker.candidate-generation': 'timeout',
      },
    });
  } finally {
    await other.end();
  }
});

test('a worker of one queue serves its operations; those of other queues alone are 503', async () => {
  service = await startService();
  await using worker = await startWorkerProcess(service, { WORKER_QUEUES: 'memory-flush' });
  expect(await read()).toMatchObject({
    code: 200,
    status: 'degraded',
    checks: {
      runtime: 'ready',
      database: 'ready',
      queue: 'ready',
      'worker.memory-flush': 'ready',
      'worker.candidate-generation': 'unavailable',
      'worker.report-render': 'unavailable',
    },
  });
  expect((await service.call('flush_memory', { body: { scope_id: 'one' } })).status).toBe(200);
  const report = await service.call('get_handoff_report', { body: { selection: { mode: 'all' } } });
  expect(report.error).toMatchObject({ code: 'worker_unavailable', details: { queue: 'report-render' } });
  expect((await service.call('list_scopes')).status).toBe(200);
  worker.kill();
  await worker.exited;
  await waitUntil(async () => (await read()).checks['worker.memory-flush'] === 'unavailable');
  expect((await read()).checks).toMatchObject({ database: 'ready', queue: 'ready' });
});

async function startWithModel(answer?: StubList): Promise<InferenceStub> {
  stub = await startInferenceStub();
  if (answer !== undefined) stub.listWith(() => answer);
  const environment = {
    INFERENCE_GENERATION_MODEL: 'stub',
    INFERENCE_BASE_URL: stub.url,
    INFERENCE_API_KEY: 'key-of-the-model',
  };
  service = await startService({ workers: true, environment });
  return stub;
}

test('spec 10 §2.2.2: a generation model is a dependency of deployments that have one', async () => {
  service = await startService();
  expect((await read()).checks).not.toHaveProperty(['inference.generation']);
  await service.stop();
  await startWithModel();
  expect(await read()).toMatchObject({ status: 'ready', checks: { 'inference.generation': 'ready' } });
});

test('spec 10 §2.2.3: readiness sends one free request with the key for many concurrent readers', async () => {
  const { lists, requests } = await startWithModel();
  await race(20, read);
  expect(lists.map(({ authorization }) => authorization)).toEqual(['Bearer key-of-the-model']);
  expect(requests).toEqual([]);
});

test.each<[string, string, StubList]>([
  ['unavailable', 'fails', { status: 500, body: '{}' }],
  ['unavailable', 'limits the rate', { status: 429, body: '{}' }],
  ['misconfigured', 'refuses the key', { status: 401, body: '{}' }],
  ['timeout', 'does not answer within 2 s', { hang: true }],
])('spec 10 §2.2.2: the generation model is `%s` if its endpoint %s', async (check, _what, answer) => {
  await startWithModel(answer);
  expect(await read()).toMatchObject({
    code: 200,
    status: 'degraded',
    checks: { database: 'ready', 'inference.generation': check },
  });
});

test('spec 10 §2.2.2: the generation model is `unavailable` if the endpoint does not listen', async () => {
  const closed = await startInferenceStub();
  await closed.close();
  const environment = { INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: closed.url };
  service = await startService({ environment });
  expect((await read()).checks['inference.generation']).toBe('unavailable');
});

test.each<[string, number]>([
  ['has no list of models', 404],
  ['keeps its list from this key', 403],
])('an endpoint that %s counts as available', async (_what, status) => {
  await startWithModel({ status, body: '{"error":{}}' });
  expect(await read()).toMatchObject({ status: 'ready', checks: { 'inference.generation': 'ready' } });
});

/** A model for worker processes, and a gateway with the given settings. */
async function startWithWorkerModel(settings: Record<string, string> = {}): Promise<Record<string, string>> {
  stub = await startInferenceStub();
  const model = { INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: stub.url };
  service = await startService({ environment: settings['own'] === 'yes' ? model : {} });
  return { ...model, INFERENCE_GENERATION_MAX_REQUESTS: '1', WORKER_QUEUES: 'memory-flush' };
}

const extractor = async () => (await service.call('get_capabilities')).body.memory_extractor;
const capture = (source_id: string) =>
  service.call('capture_content_source', {
    body: { scope_id: 'refused', source_id, content: 'We use Kafka.' },
  });
const flush = async () => (await service.call('flush_memory', { body: { scope_id: 'refused' } })).status;

test('spec 20 X8: capabilities show the extractor of the workers, not that of the settings of the gateway', async () => {
  const model = await startWithWorkerModel();
  expect(await extractor()).toBe('builtin');
  {
    await using _worker = await startWorkerProcess(service, model);
    await waitUntil(async () => (await extractor()) === 'model');
  }
  // A worker that has ended changes nothing.
  await waitUntil(async () => (await read()).checks['worker.memory-flush'] === 'unavailable');
  expect(await extractor()).toBe('model');
  await using _other = await startWorkerProcess(service, { WORKER_QUEUES: 'memory-flush' });
  await waitUntil(async () => (await extractor()) === 'builtin');
});

test('spec 25 Q16: readiness names the rule that an answer of the model broke, and capabilities the fallback', async () => {
  const model = await startWithWorkerModel({ own: 'yes' });
  await using _worker = await startWorkerProcess(service, model);
  expect((await read()).checks['inference.generation']).toBe('ready');
  expect(await read()).not.toHaveProperty('reasons');

  stub?.respondWith(() => ({ content: '{"proposals":[{"op":"add","entry":null,"kind":"zebra-secret"}]}' }));
  await capture('a');
  expect(await flush()).toBe(503);
  const refused = await waitUntil(async () => {
    const readiness = await read();
    return readiness.checks['inference.generation'] === 'misconfigured' && readiness;
  });
  expect(refused).toMatchObject({ code: 200, status: 'degraded' });
  expect(refused.reasons).toEqual({
    'inference.generation': expect.stringMatching(
      /^The answer of the model breaks its schema \(.*kind: .*\)\.$/,
    ),
  });
  expect(JSON.stringify(refused)).not.toContain('zebra');
  expect(await extractor()).toBe('model');

  // After three invalid answers to one Source the rules read it (spec 20 F12).
  expect([await flush(), await flush(), await flush()]).toEqual([503, 503, 200]);
  await waitUntil(async () => (await extractor()) === 'builtin');

  stub?.respondWith(() => ({ content: '{"proposals":[]}' }));
  await capture('b');
  expect(await flush()).toBe(200);
  await waitUntil(async () => (await extractor()) === 'model');
  const ready = await waitUntil(async () => {
    const readiness = await read();
    return readiness.checks['inference.generation'] === 'ready' && readiness;
  });
  expect(ready).not.toHaveProperty('reasons');
});
