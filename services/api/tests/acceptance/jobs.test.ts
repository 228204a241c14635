import { type InferenceStub, readOpenMetrics, startInferenceStub, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { expectError } from '../support/envelope.ts';
import { startIdleWorker } from '../support/idle-worker.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let stub: InferenceStub;
let service: TestService;
let worker: AsyncDisposable | undefined;
let idle: { stop(): Promise<void> } | undefined;

beforeEach(async () => {
  stub = await startInferenceStub();
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme', 'other') } });
});

afterEach(async () => {
  await worker?.[Symbol.asyncDispose]();
  worker = undefined;
  await idle?.stop();
  idle = undefined;
  await service.stop();
  await stub.close();
});

const acme = () => clientOf(service.url, 'acme');
const other = () => clientOf(service.url, 'other');

const startWorker = async () => {
  worker = await startWorkerProcess(service, {
    INFERENCE_GENERATION_MODEL: 'stub',
    INFERENCE_BASE_URL: stub.url,
  });
};

const pretendWorker = async () => {
  idle = await startIdleWorker(service.databaseUrl);
};

const capture = (scope_id: string) =>
  acme().call('capture_content_source', {
    body: { scope_id, source_id: 'a', content: 'We decided to use Kafka.' },
  });
const queueFlush = async (scope_id: string) => {
  const headers = { prefer: 'respond-async' };
  const { json } = await acme().send('POST', '/v1/memory/flush', { scope_id }, headers);
  return (json as { job_id: string }).job_id;
};
const get = async (job_id: string) => (await acme().call('get_job', { params: { job_id } })).body;
const cancel = (job_id: string) => acme().call('cancel_job', { params: { job_id } });
const retry = (job_id: string) => acme().call('retry_job', { params: { job_id } });
const list = async (filters: Record<string, string> = {}) =>
  (await acme().call('list_jobs', { query: filters })).body;
const hasStatus = (job_id: string, status: string) =>
  waitUntil(async () => (await get(job_id)).status === status);

test('spec 60 §3.8: a tenant counts its own jobs by queue, and learns which queues have a worker', async () => {
  const queues = async (client = acme()) => (await client.call('list_queues')).body.queues;
  const names = [
    'memory-flush',
    'memory-embed',
    'candidate-generation',
    'external-skill-scan',
    'remote-reconcile',
    'report-render',
  ];
  const none = { value: 0, exact: true };
  const idleQueue = { has_worker: false, queued: none, running: none, failed: none };
  const noTimes = { oldest_queued_at: null, oldest_running_at: null };
  expect(await queues()).toEqual(names.map((queue) => ({ queue, ...idleQueue, ...noTimes })));
  await pretendWorker();
  await waitUntil(async () => (await queues())[0]?.has_worker === true);
  const first = await get(await queueFlush('one'));
  await queueFlush('two');
  expect((await queues())[0]).toEqual({
    queue: 'memory-flush',
    ...idleQueue,
    ...noTimes,
    has_worker: true,
    queued: { value: 2, exact: true },
    oldest_queued_at: first.created_at,
  });
  await query(service.databaseUrl, "UPDATE jobs SET status = 'running' WHERE job_id = $1", [first.job_id]);
  await query(
    service.databaseUrl,
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, finished_at)
     SELECT tenant_id, gen_random_uuid(), 'report-render', 'get_handoff_report', n::text, '{}', 'failed', now()
     FROM tenants, generate_series(1, 1001) n WHERE name = 'acme'`,
  );
  const [flush, , , , , report] = await queues();
  expect(flush).toMatchObject({
    queued: { value: 1 },
    running: { value: 1, exact: true },
    oldest_running_at: first.created_at,
  });
  expect(report).toMatchObject({ failed: { value: 1000, exact: false }, ...noTimes });
  const seenByOther = await queues(other());
  expect(
    seenByOther.every(
      (view) =>
        JSON.stringify([view.queued, view.running, view.failed]) === JSON.stringify([none, none, none]),
    ),
  ).toBe(true);
  expect(seenByOther[0]?.has_worker).toBe(true);
});

test('spec 00 §8.1: a tenant lists its own jobs by any filters, and a cursor belongs to them', async () => {
  await pretendWorker();
  const ids = [];
  for (const scope of ['one', 'two', 'one']) ids.push(await queueFlush(scope));
  const [first = '', second = '', third = ''] = ids;
  expect((await list()).items.map(({ job_id }) => job_id)).toEqual([third, second, first]);
  const [newest] = (await list()).items;
  const { result, ...summary } = await get(third);
  expect([newest, result]).toEqual([summary, null]);
  expect((await list({ scope_id: 'one', queue: 'memory-flush' })).items.map(({ job_id }) => job_id)).toEqual([
    third,
    first,
  ]);
  expect((await list({ status: 'running' })).items).toEqual([]);
  const { created_at } = await get(second);
  expect((await list({ created_after: created_at })).items.map(({ job_id }) => job_id)).toEqual([third]);
  expect((await list({ created_before: created_at })).items.map(({ job_id }) => job_id)).toEqual([first]);
  const page = await list({ limit: '1', scope_id: 'one' });
  const next = await list({ limit: '1', scope_id: 'one', cursor: page.next_cursor ?? '' });
  expect([next.items.map(({ job_id }) => job_id), next.next_cursor]).toEqual([[first], null]);
  const foreign = await acme().send('GET', `/v1/jobs?limit=1&scope_id=two&cursor=${page.next_cursor}`);
  expectError(foreign, 400, 'invalid_cursor');
  for (const wrong of [
    'limit=0',
    'limit=201',
    'status=done',
    'queue=x',
    'created_after=yesterday',
    'scope_id=%20',
  ]) {
    expectError(await acme().send('GET', `/v1/jobs?${wrong}`), 422, 'invalid_request');
  }
  expect((await other().call('list_jobs')).body).toEqual({ items: [], next_cursor: null });
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/cancel'],
    ['POST', '/retry'],
  ] as const) {
    expectError(await other().send(method, `/v1/jobs/${first}${path}`), 404, 'job_not_found');
  }
});

test('spec 00 §8.2: a running job is cancelled for all its callers, and its Sources stay for the next one', async () => {
  await startWorker();
  await capture('alpha');
  stub.respondWith(() => ({ hang: true }));
  const answer = acme().call('flush_memory', { body: { scope_id: 'alpha' } });
  await waitUntil(() => stub.requests.length === 1);
  const [job] = (await list({ status: 'running' })).items;
  const job_id = job?.job_id ?? '';
  const cancelled = await cancel(job_id);
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', result: null } });
  expect((await answer).error).toMatchObject({ code: 'job_cancelled', details: { job_id } });
  expect((await cancel(job_id)).body).toEqual(cancelled.body);
  stub.respondWith(() => ({ content: '{"proposals":[]}' }));
  // The next flush of the Scope waits for nobody, and takes the Source that the cancelled one left.
  const next = await acme().call('flush_memory', { body: { scope_id: 'alpha' } });
  expect(next.body).toMatchObject({ status: 'processed', previous_cursor: 0, current_cursor: 1 });
  const late = await cancel((await list({ status: 'succeeded' })).items[0]?.job_id ?? '');
  expect(late.error).toMatchObject({ code: 'job_conflict', details: { status: 'succeeded' } });
});

test('spec 00 §8.2 and §8.3: a queued job is cancelled at once; a retry runs it under its id, once', async () => {
  await pretendWorker();
  await capture('beta');
  const job_id = await queueFlush('beta');
  const { body } = await cancel(job_id);
  expect(body).toMatchObject({ status: 'cancelled', started_at: null });
  expect(body.finished_at).not.toBeNull();
  const replies = await Promise.all([retry(job_id), retry(job_id)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  const accepted = replies.find(({ status }) => status === 202);
  expect(accepted?.body).toEqual({ job_id, status: 'queued', status_url: `/v1/jobs/${job_id}` });
  expect(accepted?.headers.get('location')).toBe(`/v1/jobs/${job_id}`);
  expect(replies.find(({ status }) => status === 409)?.error).toMatchObject({
    code: 'job_conflict',
    details: { status: 'queued' },
  });
  expect(await get(job_id)).toMatchObject({ error: null, finished_at: null });
  await startWorker();
  await hasStatus(job_id, 'succeeded');
  expect((await get(job_id)).result).toMatchObject({ current_cursor: 1 });
});

const loseWorker = async () => {
  await idle?.stop();
  await waitUntil(
    async () => (await service.call('get_readiness')).body.checks['worker.memory-flush'] === 'unavailable',
  );
};

test('spec 00 §8.3: without a live worker a retry is 503, and the job stays as it was', async () => {
  await pretendWorker();
  const job_id = await queueFlush('gamma');
  const { body } = await cancel(job_id);
  await loseWorker();
  const refused = await retry(job_id);
  expect(refused.error).toMatchObject({ code: 'worker_unavailable', details: { queue: 'memory-flush' } });
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(await get(job_id)).toEqual(body);
});

const cli = (...args: string[]) => {
  const env = {
    CONTINUITY_URL: service.url,
    CONTINUITY_TOKEN: tokenOf('acme'),
    DATABASE_URL: service.databaseUrl,
    XDG_CONFIG_HOME: '/nonexistent',
  };
  return runCli(['jobs', ...args], { env });
};

test('the command line lists, cancels and retries jobs', async () => {
  await pretendWorker();
  const job_id = await queueFlush('delta');
  const listed = await cli('list', '--status', 'queued');
  expect(listed.stdout).toMatch(new RegExp(`queued +flush_memory +delta .*${job_id}`));
  expect(await cli('cancel', job_id)).toMatchObject({ code: 0, stderr: `Job ${job_id} is cancelled.\n` });
  expect((await get(job_id)).status).toBe('cancelled');
  expect(await cli('retry', job_id)).toMatchObject({ code: 0 });
  expect((await get(job_id)).status).toBe('queued');
});

test('spec 00 §8.4: the operator replays failed jobs by one command, which says how many', async () => {
  await pretendWorker();
  const job_id = await queueFlush('delta');
  const error = JSON.stringify({ code: 'internal_error', message: 'It failed.', details: {} });
  await query(service.databaseUrl, "UPDATE jobs SET status = 'failed', finished_at = now(), error = $1", [
    error,
  ]);
  const wrong = await cli('replay', '--queue', 'memory-flush', '--older-than', 'long');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--older-than must be')]);
  expect((await get(job_id)).status).toBe('failed');
  const replayed = await cli('replay', '--queue', 'memory-flush', '--code', 'internal_error');
  expect(replayed).toMatchObject({ code: 0, stdout: '1 failed jobs of memory-flush queued again.\n' });
  expect((await get(job_id)).status).toBe('queued');
});

/** Age in seconds of the oldest queued flush, as `/metrics` reports it. */
const oldestFlushAge = async () => {
  // Gateways share a reading for five seconds.
  await query(service.databaseUrl, 'UPDATE deployment SET backlog_at = NULL');
  const { text } = await clientOf(service.url, 'operator').send('GET', '/metrics');
  const ages = readOpenMetrics(text).get('continuity_queue_oldest_age_seconds');
  return ages?.samples.get('continuity_queue_oldest_age_seconds{queue="memory-flush"}');
};

test('spec 00 §8.5: without a live worker a job stays queued and its age is a metric; with one it ends', async () => {
  await pretendWorker();
  expect(await oldestFlushAge()).toBe(0);
  await capture('epsilon');
  const job_id = await queueFlush('epsilon');
  await loseWorker();
  await query(service.databaseUrl, "UPDATE jobs SET created_at = created_at - interval '1 day'");
  const queued = await get(job_id);
  expect(queued).toMatchObject({ status: 'queued', error: null, started_at: null, finished_at: null });
  expect(await oldestFlushAge()).toBeGreaterThanOrEqual(24 * 60 * 60);
  expect(await get(job_id)).toEqual(queued);
  await startWorker();
  await hasStatus(job_id, 'succeeded');
  expect(await oldestFlushAge()).toBe(0);
});
