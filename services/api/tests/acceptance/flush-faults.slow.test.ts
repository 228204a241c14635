import { type InferenceStub, type RunningProcess, startInferenceStub, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let stub: InferenceStub;
let service: TestService;
let workers: RunningProcess[];

beforeEach(async () => {
  stub = await startInferenceStub();
  service = await startService();
  workers = [];
});

afterEach(async () => {
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  await service.stop();
  await stub.close();
});

async function startWorker(environment: Record<string, string> = {}): Promise<RunningProcess> {
  const worker = await startWorkerProcess(service, environment);
  workers.push(worker);
  return worker;
}

const withModel = () => ({ INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: stub.url });

const capture = (scope_id: string, source_id: string, content: string) =>
  service.call('capture_content_source', { body: { scope_id, source_id, content } });
const flush = (scope_id: string) => service.call('flush_memory', { body: { scope_id } });
const entriesOf = async (scope_id: string) =>
  (await service.call('list_memory_entries', { body: { scope_id } })).body.entries;
const changesOf = async (scope_id: string) =>
  (await service.call('list_memory_changes', { body: { scope_id, since_revision: 0 } })).body.revisions;

const aDecision = {
  content: JSON.stringify({
    proposals: [
      { op: 'add', entry: null, kind: 'decision', text: 'Kafka is used.', sources: [1], reason: null },
    ],
  }),
};

test('spec 20 scenario 18: a worker killed during extraction writes nothing, and another worker completes the flush', async () => {
  await capture('killed', 'a', 'We use Kafka.');
  stub.respondWith(() => ({ hang: true }));
  const first = await startWorker(withModel());
  const answer = flush('killed');
  await waitUntil(() => stub.requests.length === 1);
  stub.respondWith(() => aDecision);
  first.kill('SIGKILL');
  await first.exited;
  await startWorker(withModel());
  const { body } = await answer;
  expect(body).toMatchObject({
    status: 'processed',
    previous_cursor: 0,
    current_cursor: 1,
    processed_source_count: 1,
  });
  expect((await entriesOf('killed')).map(({ text }) => text)).toEqual(['Kafka is used.']);
  expect((await changesOf('killed')).map(({ memory_ref }) => memory_ref.revision)).toEqual([1]);
  expect((await flush('killed')).body).toMatchObject({
    status: 'idle',
    current_cursor: 1,
    high_watermark: 1,
  });
});

test('spec 20 scenario 19: a flush that committed is answered with its result, though its worker died', async () => {
  await capture('committed', 'a', 'We decided to use Kafka.');
  const first = await startWorker();
  const accepted = await service.send(
    'POST',
    '/v1/memory/flush',
    { scope_id: 'committed' },
    { prefer: 'respond-async' },
  );
  const { job_id } = accepted.json as { job_id: string };
  await waitUntil(
    async () => (await service.call('get_job', { params: { job_id } })).body.status === 'succeeded',
  );
  first.kill('SIGKILL');
  await first.exited;
  const [job] = await query<{ tenant_id: number; enqueues: number }>(
    service.databaseUrl,
    'SELECT tenant_id, enqueues FROM jobs WHERE job_id = $1',
    [job_id],
  );
  expect(job).toBeDefined();
  await startWorker();
  const { body } = await service.call('get_job', { params: { job_id } });
  expect(body.result).toMatchObject({ previous_cursor: 0, current_cursor: 1 });
  expect((await flush('committed')).body).toMatchObject({
    status: 'idle',
    previous_cursor: 1,
    current_cursor: 1,
  });
  expect(await changesOf('committed')).toHaveLength(1);
});

test('spec 20 F8: a worker that only stalled cannot commit a window that another worker has processed', async () => {
  await capture('stalled', 'a', 'We use Kafka.');
  const answers = Promise.withResolvers<void>();
  stub.respondWith(async (_request, index) => {
    if (index === 0) await answers.promise;
    return aDecision;
  });
  const stalled = await startWorker(withModel());
  const answer = flush('stalled');
  await waitUntil(() => stub.requests.length === 1);
  stalled.kill('SIGSTOP');
  await startWorker(withModel());
  expect((await answer).body).toMatchObject({ status: 'processed', current_cursor: 1 });
  answers.resolve();
  stalled.kill('SIGCONT');
  await stalled.waitForLine('lost');
  expect(await entriesOf('stalled')).toHaveLength(1);
  expect(await changesOf('stalled')).toHaveLength(1);
});

test('spec 20 A4: a flush that a stopping worker gives up is no failure of its Scope', async () => {
  await capture('given-up', 'a', 'We use Kafka.');
  stub.respondWith(() => ({ hang: true }));
  const stopping = await startWorker({ ...withModel(), SHUTDOWN_GRACE_MS: '100' });
  const answer = flush('given-up');
  await waitUntil(() => stub.requests.length === 1);
  stopping.kill('SIGTERM');
  await stopping.exited;
  expect(await query(service.databaseUrl, 'SELECT failed_flushes FROM source_sequences')).toEqual([
    { failed_flushes: 0 },
  ]);
  stub.respondWith(() => aDecision);
  await startWorker(withModel());
  expect((await answer).body).toMatchObject({ status: 'processed', current_cursor: 1 });
});

test('spec 20 scenario 21: without a worker, flush is 503 and writes nothing, and direct operations work', async () => {
  await capture('alone', 'a', 'We decided to use Kafka.');
  const refused = await flush('alone');
  expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
    503,
    'worker_unavailable',
    { queue: 'memory-flush' },
  ]);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await query(service.databaseUrl, 'SELECT job_id FROM jobs')).toEqual([]);
  const remembered = await service.call('remember_memory', {
    body: { scope_id: 'alone', kind: 'fact', text: 'Kafka has brokers.' },
  });
  expect(remembered.status).toBe(200);
  const found = await service.call('search_memory', { body: { scope_id: 'alone', query: 'brokers' } });
  expect(found.body.hits).toHaveLength(1);
  expect((await capture('alone', 'b', 'More.')).status).toBe(202);
});

test('SIGTERM lets a running flush end and exits with 0', async () => {
  await capture('term', 'a', 'We use Kafka.');
  const thinking = Promise.withResolvers<void>();
  stub.respondWith(async () => {
    await thinking.promise;
    return aDecision;
  });
  const worker = await startWorker(withModel());
  const answer = flush('term');
  await waitUntil(() => stub.requests.length === 1);
  worker.kill('SIGTERM');
  await worker.waitForLine('stopping');
  thinking.resolve();
  expect((await answer).body).toMatchObject({ status: 'processed' });
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  const isGone = async () =>
    (await service.call('get_readiness')).body.checks['worker.memory-flush'] === 'unavailable';
  await waitUntil(isGone);
  expect((await flush('term')).error?.code).toBe('worker_unavailable');
});
