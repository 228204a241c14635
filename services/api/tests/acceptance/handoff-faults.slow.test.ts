import {
  type InferenceStub,
  type RunningProcess,
  startInferenceStub,
  underLoad,
  waitUntil,
} from '@continuity/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { generationCalls, modelDraft, objective, sourceCitation } from '../support/handoff-generation.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let stub: InferenceStub;
let service: TestService;
let workers: RunningProcess[];
let calls: ReturnType<typeof generationCalls>;

beforeEach(async () => {
  stub = await startInferenceStub();
  stub.respondWith(() => modelDraft());
  service = await startService();
  calls = generationCalls(service);
  workers = [];
});

afterEach(async () => {
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  await service.stop();
  await stub.close();
});

async function startWorker(environment: Record<string, string> = {}): Promise<RunningProcess> {
  const model = { INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: stub.url };
  const worker = await startWorkerProcess(service, { ...model, ...environment });
  workers.push(worker);
  return worker;
}

const cursorMoves = async () =>
  (
    await query<{ result: unknown }>(
      service.databaseUrl,
      "SELECT result FROM jobs WHERE operation = 'activate_handoff' AND result->>'status' = 'generated'",
    )
  ).length;

/** A service whose callers wait for a fifth of a second. */
const impatient = () =>
  startSecondGateway({ ...service, settings: { ...service.settings, JOB_WAIT_MS: 200 } });

const ended = async () =>
  (await query(service.databaseUrl, "SELECT FROM jobs WHERE status IN ('queued', 'running')")).length === 0;

test('spec 30 scenario 22: a worker killed during activate: the retried job generates once, the cursor moved once', async () => {
  await capture(service, 'killed', 'boundary', 'We use Kafka.');
  stub.respondWith(() => ({ hang: true }));
  const first = await startWorker();
  const answer = calls.activate('killed', 'boundary');
  await waitUntil(() => stub.requests.length === 1);
  stub.respondWith(() => modelDraft());
  first.kill('SIGKILL');
  await first.exited;
  await startWorker();
  const { body } = await answer;
  expect(body).toMatchObject({ status: 'generated', previous_position: 0, current_position: 1 });
  expect(stub.requests).toHaveLength(2);
  expect(await cursorMoves()).toBe(1);
  expect((await calls.activate('killed', 'boundary')).body).toMatchObject({ status: 'ignored', draft: null });
});

test('spec 30 scenario 21: consumed stays ignored after a restart, without workers, and with generation off', async () => {
  await capture(service, 'restart', 'boundary', 'We use Kafka.');
  const worker = await startWorker();
  expect((await calls.activate('restart', 'boundary')).body.status).toBe('generated');
  worker.kill('SIGTERM');
  await worker.exited;
  const off = await startSecondGateway({
    ...service,
    settings: { ...service.settings, HANDOFF_GENERATION: false },
  });
  try {
    for (const client of [service, off]) {
      const { status, body } = await generationCalls(client).activate('restart', 'boundary');
      expect([status, body.status, body.draft]).toEqual([200, 'ignored', null]);
    }
    await capture(service, 'restart', 'later', 'We use Redis.');
    const later = await generationCalls(off).activate('restart', 'later');
    expect([later.status, later.error?.code]).toEqual([503, 'handoff_generation_unavailable']);
    expect(later.headers.get('retry-after')).toBe('1');
    // Before the evidence is looked for; the boundary itself is looked for first.
    const prepared = await generationCalls(off).prepare('restart', ['gone']);
    expect([prepared.status, prepared.error?.code]).toEqual([503, 'handoff_generation_unavailable']);
    expect((await generationCalls(off).activate('restart', 'gone')).status).toBe(404);
    expect((await off.call('get_capabilities')).body.handoff_generation).toBe(false);
    expect((await service.call('get_capabilities')).body.handoff_generation).toBe(true);
  } finally {
    await off.stop();
  }
});

test('spec 30 scenario 24: without workers, prepare is worker_unavailable immediately and enqueues nothing', async () => {
  await capture(service, 'none', 'notes', 'We use Kafka.');
  const begun = performance.now();
  const { status, error } = await calls.prepare('none', ['notes']);
  expect(performance.now() - begun).toBeLessThan(underLoad(2_000));
  expect([status, error?.code, error?.details]).toEqual([
    503,
    'worker_unavailable',
    { queue: 'candidate-generation' },
  ]);
  expect(await query(service.databaseUrl, 'SELECT FROM jobs')).toEqual([]);
});

test('spec 00 §7: workers of some queues serve only these, and readiness names the missing ones', async () => {
  await capture(service, 'some', 'notes', 'We use Kafka.');
  await startWorker({ WORKER_QUEUES: 'candidate-generation' });
  const { checks, status } = (await service.call('get_readiness')).body;
  expect(status).toBe('degraded');
  expect(checks).toMatchObject({
    'worker.candidate-generation': 'ready',
    'worker.memory-flush': 'unavailable',
  });
  expect((await calls.prepare('some', ['notes'])).status).toBe(200);
  const flushed = await service.call('flush_memory', { body: { scope_id: 'some' } });
  expect(flushed.error?.details).toEqual({ queue: 'memory-flush' });
});

test('spec 30 §3.4.5: the next equal request gets a result that no caller received, once; later ones are ignored', async () => {
  await capture(service, 'late', 'boundary', 'We use Kafka.');
  const answer = Promise.withResolvers<ReturnType<typeof modelDraft>>();
  stub.respondWith(() => answer.promise);
  const worker = await startWorker();
  const gateway = await impatient();
  try {
    const timeout = await generationCalls(gateway).activate('late', 'boundary');
    expect([timeout.status, timeout.error?.code]).toEqual([503, 'job_timeout']);
    answer.resolve(modelDraft());
    await waitUntil(ended);
    worker.kill('SIGTERM');
    await worker.exited;
    // Another request about the boundary is no equal one.
    const other = await calls.activate('late', 'boundary', [], { objective: 'Another one.' });
    expect(other.body.status).toBe('ignored');
    const { body } = await calls.activate('late', 'boundary');
    expect(body).toMatchObject({ status: 'generated', current_position: 1, draft: { objective } });
    expect((await calls.activate('late', 'boundary')).body.status).toBe('ignored');
  } finally {
    await gateway.stop();
  }
});

test('spec 30 §3.3.4: after a job_timeout the next equal prepare gets the result of that job, once', async () => {
  await capture(service, 'late', 'notes', 'We use Kafka.');
  const answer = Promise.withResolvers<ReturnType<typeof modelDraft>>();
  stub.respondWith(() => answer.promise);
  await startWorker();
  const gateway = await impatient();
  try {
    const timeout = await generationCalls(gateway).prepare('late', ['notes']);
    expect([timeout.status, timeout.error?.code]).toEqual([503, 'job_timeout']);
    answer.resolve(modelDraft());
    await waitUntil(ended);
    expect((await calls.prepare('late', ['notes'])).status).toBe(200);
    expect(stub.requests).toHaveLength(1);
    await calls.prepare('late', ['notes']);
    expect(stub.requests).toHaveLength(2);
  } finally {
    await gateway.stop();
  }
});

test('spec 30 §3.4.5: a caller whose connection is lost leaves the result to the next equal request', async () => {
  await capture(service, 'cut', 'boundary', 'We use Kafka.');
  const answer = Promise.withResolvers<ReturnType<typeof modelDraft>>();
  stub.respondWith(() => answer.promise);
  await startWorker();
  const leaving = new AbortController();
  const body = { scope_id: 'cut', objective, boundary_source: sourceCitation('boundary').source_ref };
  const gone = fetch(`${service.url}/v1/handoff/activate`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    signal: leaving.signal,
  }).catch(({ name }) => name);
  await waitUntil(() => stub.requests.length === 1);
  leaving.abort();
  expect(await gone).toBe('AbortError');
  const isLeft = async () =>
    (await query(service.databaseUrl, 'SELECT FROM jobs WHERE awaited_until IS NULL')).length === 1;
  await waitUntil(isLeft);
  answer.resolve(modelDraft());
  await waitUntil(ended);
  expect((await calls.activate('cut', 'boundary')).body.status).toBe('generated');
  expect((await calls.activate('cut', 'boundary')).body.status).toBe('ignored');
  expect(stub.requests).toHaveLength(1);
});

test('spec 30 §3.4.5: a gateway that is killed under its caller leaves the result to the next equal request', async () => {
  await capture(service, 'killed', 'boundary', 'We use Kafka.');
  const answer = Promise.withResolvers<ReturnType<typeof modelDraft>>();
  stub.respondWith(() => answer.promise);
  await startWorker();
  await using gateway = await startGatewayProcess(service);
  const gone = generationCalls(gateway.client)
    .activate('killed', 'boundary')
    .catch(() => 'gone');
  await waitUntil(() => stub.requests.length === 1);
  gateway.kill('SIGKILL');
  expect(await gone).toBe('gone');
  answer.resolve(modelDraft());
  await waitUntil(ended);
  expect((await calls.activate('killed', 'boundary')).body.status).toBe('generated');
  expect((await calls.activate('killed', 'boundary')).body.status).toBe('ignored');
  expect(stub.requests).toHaveLength(1);
});
