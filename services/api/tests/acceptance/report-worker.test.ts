import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '@continuity/testing';
import { underLoad, waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, afterEach, expect, test } from 'vitest';
import { catalogCalls } from '../support/catalog.ts';
import { handoffCalls } from '../support/handoff.ts';
import { freshScope } from '../support/memory.ts';
import { startReportWorkerProcess } from '../support/report-worker-process.ts';
import { exact, reportCalls } from '../support/reports.ts';
import { startSecondGateway, startService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const service = await startService({ environment: { MEMORY_AUTO_FLUSH: 'off' } });
const { get, view, commit } = reportCalls(service);
const { ground } = handoffCalls(service);
let workers: RunningProcess[] = [];

afterEach(async () => {
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  workers = [];
  // The next test begins without a live worker.
  await query(service.databaseUrl, 'DELETE FROM workers');
});

afterAll(() => service.stop());

async function startWorker(environment: Record<string, string> = {}): Promise<RunningProcess> {
  const worker = await startReportWorkerProcess(service, environment);
  workers.push(worker);
  return worker;
}

async function handedOff(): Promise<string> {
  const scope = freshScope();
  await ground(scope);
  await commit(scope, 0);
  return scope;
}

/** Makes report workers wait in the middle of a report, until the returned function is called. */
async function holdReports(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE handoff_summaries IN ACCESS EXCLUSIVE MODE');
  return () => client.end();
}

const running = async () =>
  (
    await query<{ job_id: string; worker_id: string }>(
      service.databaseUrl,
      "SELECT job_id, worker_id FROM jobs WHERE status = 'running' ORDER BY started_at",
    )
  ).length;

const renderings = () => query(service.databaseUrl, 'SELECT body FROM report_renderings');

test('spec 30 scenarios 24 and 39: without a report worker every report is 503 at once, and everything else goes on', async () => {
  const scope = await handedOff();
  const begun = performance.now();
  const refused = [
    await get(exact(scope)),
    await get({ project_id: 'unknown' }),
    await get(exact(scope), { prefer: 'respond-async' }),
    await view({ scope_id: scope }),
  ];
  expect(performance.now() - begun).toBeLessThan(underLoad(4_000));
  for (const { status, json, headers } of refused) {
    expect([status, json]).toMatchObject([
      503,
      { error: { code: 'worker_unavailable', details: { queue: 'report-render' } } },
    ]);
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toBeNull();
  }
  expect((await get({})).status).toBe(422);
  const ready = await service.call('get_readiness');
  expect([ready.status, ready.body.status]).toEqual([200, 'degraded']);
  expect(ready.body.checks['worker.report-render']).toBe('unavailable');
  const { made, register } = catalogCalls(service);
  expect((await register((await made()).project_id, scope)).status).toBe(201);
  expect((await commit(scope, 1)).status).toBe(200);
  expect(await query(service.databaseUrl, "SELECT FROM jobs WHERE queue = 'report-render'")).toEqual([]);
  const before = (await service.call('get_capabilities')).body;
  await startWorker();
  expect((await service.call('get_capabilities')).body).toEqual(before);
});

test('spec 30 scenario 38: a killed worker and a frozen one leave their reports to another, and one rendering is stored', async () => {
  const [one, two] = [await handedOff(), await handedOff()];
  await query(service.databaseUrl, 'DELETE FROM report_renderings');
  const first = await startWorker({ REPORT_CONCURRENCY: '1' });
  const second = await startWorker({ REPORT_CONCURRENCY: '1' });
  const release = await holdReports();
  const answers = [get(exact(one)), get(exact(two))];
  await waitUntil(async () => (await running()) === 2);
  first.kill('SIGKILL');
  second.kill('SIGSTOP');
  await release();
  await startWorker();
  for (const { status, text } of await Promise.all(answers)) expect(status, text).toBe(200);
  expect(await renderings()).toHaveLength(2);
  const before = await query(service.databaseUrl, 'SELECT * FROM jobs ORDER BY job_id');
  second.kill('SIGCONT');
  await second.waitForLine(/"outcome":"lost"|requeued during/, 20_000).catch(() => undefined);
  expect(await renderings()).toHaveLength(2);
  expect(await query(service.databaseUrl, 'SELECT * FROM jobs ORDER BY job_id')).toEqual(before);
  expect(await Promise.all([get(exact(one)), get(exact(two))])).toMatchObject([
    { status: 200 },
    { status: 200 },
  ]);
});

test('spec 30 scenario 40: while all slots are taken a short wait ends with the job id, and the job goes on', async () => {
  const scope = await handedOff();
  await startWorker({ REPORT_CONCURRENCY: '1' });
  const gateway = await startSecondGateway({
    ...service,
    settings: { ...service.settings, JOB_WAIT_MS: 1_000 },
  });
  const impatient = reportCalls(gateway);
  const release = await holdReports();
  try {
    const holding = impatient.get(exact(scope));
    await waitUntil(async () => (await running()) === 1);
    const timeout = await impatient.get({ ...exact(scope), locale: 'zh-CN' });
    expect([timeout.status, timeout.json]).toMatchObject([503, { error: { code: 'job_timeout' } }]);
    expect((await holding).status).toBe(503);
    await release();
    const { job_id } = (timeout.json as { error: { details: { job_id: string } } }).error.details;
    await waitUntil(
      async () => (await service.call('get_job', { params: { job_id } })).body.status === 'succeeded',
    );
    const { result } = (await service.call('get_job', { params: { job_id } })).body;
    const again = await get({ ...exact(scope), locale: 'zh-CN' });
    expect([again.status, again.json]).toEqual([200, result]);
    await commit(scope, 1);
    const newer = await get({ ...exact(scope), locale: 'zh-CN' });
    expect(newer.headers.get('x-service-selection-digest')).not.toBe(
      again.headers.get('x-service-selection-digest'),
    );
  } finally {
    await gateway.stop();
  }
});

test('spec 30 scenario 37: equal requests at once have equal bodies and one rendering, and another one after a restart too', async () => {
  const scope = await handedOff();
  await query(service.databaseUrl, 'DELETE FROM report_renderings');
  const worker = await startWorker();
  const answers = await Promise.all(Array.from({ length: 32 }, () => get(exact(scope))));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(await renderings()).toHaveLength(1);
  worker.kill('SIGTERM');
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  await startWorker();
  const gateway = await startSecondGateway(service);
  try {
    const again = await reportCalls(gateway).get(exact(scope));
    expect(again.text).toBe(answers[0]?.text);
  } finally {
    await gateway.stop();
  }
});

test('spec 30 §4.12.6: a request joins a job that no worker has begun, and no other one', async () => {
  const scope = await handedOff();
  await startWorker({ REPORT_CONCURRENCY: '1' });
  const release = await holdReports();
  const first = get(exact(scope));
  await waitUntil(async () => (await running()) === 1);
  const waiting = [get(exact(scope)), get(exact(scope))];
  const ids = () =>
    query<{ job_id: string }>(
      service.databaseUrl,
      "SELECT job_id FROM jobs WHERE queue = 'report-render' AND status IN ('queued', 'running')",
    );
  await waitUntil(async () => (await ids()).length === 2);
  await sleep(100);
  expect(await ids()).toHaveLength(2);
  await release();
  const answers = await Promise.all([first, ...waiting]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});
