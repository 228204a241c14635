import {
  type Client,
  clientFor,
  type MetricFamily,
  NoAnswerError,
  readOpenMetrics,
} from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let service: TestService;
let client: Client;
let operator: Client;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('blue') } });
  client = clientOf(service.url, 'blue');
  operator = clientOf(service.url, 'operator');
});

afterAll(() => service?.stop());

async function scrape(): Promise<Map<string, MetricFamily>> {
  const { status, headers, text } = await operator.send('GET', '/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain;/);
  return readOpenMetrics(text);
}

function sampleOf(families: Map<string, MetricFamily>, sample: string): number | undefined {
  return [...families.values()].find(({ samples }) => samples.has(sample))?.samples.get(sample);
}

test('spec 10 §11.9: /metrics is OpenMetrics, needs the token, and takes GET only', async () => {
  expectError(await service.send('GET', '/metrics'), 401, 'unauthorized');
  const posted = await client.send('POST', '/metrics');
  expect(posted.status).toBe(405);
  expect(posted.headers.get('allow')).toBe('GET, HEAD');
  const families = await scrape();
  expect(families.get('continuity_request_duration_seconds')).toMatchObject({
    type: 'histogram',
    unit: 'seconds',
  });
  expect(families.get('process_memory_usage_bytes')).toMatchObject({ type: 'gauge', unit: 'bytes' });
});

test('spec 00 §6: /metrics refuses the token of a tenant', async () => {
  for (const method of ['GET', 'HEAD']) expect((await client.send(method, '/metrics')).status).toBe(403);
  expectError(await client.send('GET', '/metrics'), 403, 'forbidden');
});

test('spec 00 §6: METRICS_PORT serves /metrics alone, without a token, and PORT no longer does', async () => {
  const split = await startService({
    environment: { METRICS_PORT: '0', AUTH_TOKENS_FILE: await writeTokens('blue') },
  });
  const metrics = clientFor(split.metricsUrl ?? '');
  const page = await metrics.send('GET', '/metrics');
  expect(page.status).toBe(200);
  expect(readOpenMetrics(page.text).has('process_memory_usage_bytes')).toBe(true);
  expectError(await metrics.send('POST', '/metrics'), 405, 'method_not_allowed');
  for (const path of ['/v1/capabilities', '/v1/scopes', '/docs'])
    expectError(await metrics.send('GET', path), 404, 'not_found');
  expectError(await clientOf(split.url, 'operator').send('GET', '/metrics'), 404, 'not_found');
  await split.stop();
  await expect(metrics.send('GET', '/metrics')).rejects.toThrow(NoAnswerError);
});

test('a request is counted by operation and status class, and by nothing of its own', async () => {
  const count = 'continuity_request_duration_seconds_count{operation="get_capabilities",status="2xx"}';
  const unknown = 'continuity_request_duration_seconds_count{operation="unknown_route",status="4xx"}';
  const first = await scrape();
  for (let i = 0; i < 3; i += 1) await client.call('get_capabilities');
  await client.send('GET', '/v1/some-private-name');
  const families = await scrape();
  expect(sampleOf(families, count)).toBe((sampleOf(first, count) ?? 0) + 3);
  expect(sampleOf(families, unknown)).toBe((sampleOf(first, unknown) ?? 0) + 1);
  expect([...families.values()].flatMap(({ samples }) => [...samples.keys()]).join()).not.toContain(
    'private',
  );
});

test('the backlog of the deployment is read from its rows', async () => {
  const sql = (text: string) => query(service.databaseUrl, text);
  await client.call('capture_content_source', { body: { scope_id: 's', source_id: 'a', content: 'x' } });
  await sql(`UPDATE source_sequences SET pending_since = now() - interval '90 s'`);
  await sql(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, created_at)
     SELECT tenant_id, gen_random_uuid(), 'memory-flush', 'flush_memory', n::text, '{}',
            CASE WHEN n = 0 THEN 'running' ELSE 'queued' END, now() - interval '60 s'
     FROM tenants, generate_series(0, 2) n WHERE tenants.tenant_id = (SELECT min(tenant_id) FROM tenants)`,
  );
  await sql('UPDATE deployment SET backlog_at = NULL');
  const families = await scrape();
  expect(sampleOf(families, 'continuity_queue_depth{queue="memory-flush",status="queued"}')).toBe(2);
  expect(sampleOf(families, 'continuity_queue_depth{queue="memory-flush",status="running"}')).toBe(1);
  const oldest = sampleOf(families, 'continuity_queue_oldest_age_seconds{queue="memory-flush"}');
  expect(oldest).toBeGreaterThanOrEqual(60);
  expect(oldest).toBeLessThan(90);
  expect(sampleOf(families, 'continuity_memory_flush_lag_seconds')).toBeGreaterThanOrEqual(90);
  expect(sampleOf(families, 'continuity_sources_parked')).toBe(0);
});

test('gateways share a reading of the backlog for five seconds, and read it again after that', async () => {
  const other = await startSecondGateway(service);
  const parked = async () => {
    const { text } = await clientOf(other.url, 'operator').send('GET', '/metrics');
    return sampleOf(readOpenMetrics(text), 'continuity_sources_parked');
  };
  await scrape();
  await query(
    service.databaseUrl,
    `UPDATE deployment SET backlog = jsonb_set(backlog, '{parkedSources}', '7'), backlog_at = now()`,
  );
  expect(await parked()).toBe(7);
  await query(service.databaseUrl, `UPDATE deployment SET backlog_at = now() - interval '6 s'`);
  expect(await parked()).toBe(0);
  await query(service.databaseUrl, `UPDATE deployment SET backlog = '{}'`);
  expect(await parked()).toBe(0);
  await other.stop();
});

test('a reading of the backlog counts up to 10,000 jobs of a queue, and reads the oldest by an index', async () => {
  const sql = (text: string) => query(service.databaseUrl, text);
  await sql(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, created_at)
     SELECT min(tenant_id), gen_random_uuid(), 'report-render', 'get_handoff_report', n::text, '{}', now() - n * interval '1 s'
     FROM tenants, generate_series(1, 10050) n GROUP BY n`,
  );
  await sql('UPDATE deployment SET backlog_at = NULL');
  const families = await scrape();
  expect(sampleOf(families, 'continuity_queue_depth{queue="report-render",status="queued"}')).toBe(10_000);
  const oldest = sampleOf(families, 'continuity_queue_oldest_age_seconds{queue="report-render"}');
  expect(oldest).toBeGreaterThanOrEqual(10_050);
  const oldestQueued = `SELECT min(created_at) FROM jobs WHERE queue = 'report-render' AND status = 'queued'`;
  const plan = await sql(`EXPLAIN ${oldestQueued}`);
  expect(JSON.stringify(plan)).toContain('jobs_queued');
});

test('readiness is a metric: each part that /health/ready checks', async () => {
  const families = await scrape();
  const { checks } = (await service.call('get_readiness')).body;
  for (const [check, state] of Object.entries(checks))
    expect(sampleOf(families, `continuity_ready{check="${check}"}`)).toBe(state === 'ready' ? 1 : 0);
  expect(sampleOf(families, 'continuity_ready{check="database"}')).toBe(1);
});

test('an error answer is counted by its code', async () => {
  const count = 'continuity_request_errors_total{operation="unknown_route",code="not_found"}';
  const before = sampleOf(await scrape(), count) ?? 0;
  await client.send('GET', '/v1/nothing');
  expect(sampleOf(await scrape(), count)).toBe(before + 1);
});

test('a worker serves its metrics on WORKER_METRICS_PORT alone', async () => {
  const worker = await startWorkerProcess(service, { WORKER_METRICS_PORT: '0' });
  const line = await worker.waitForLine('metrics_url');
  const metrics = clientFor((JSON.parse(line) as { metrics_url: string }).metrics_url);
  const { status, headers, text } = await metrics.send('GET', '/metrics');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(readOpenMetrics(text).has('continuity_database_pool_connections')).toBe(true);
  expect((await metrics.send('POST', '/metrics')).status).toBe(405);
  expect((await metrics.send('GET', '/health/live')).status).toBe(404);
  worker.kill();
  expect((await worker.exited).code).toBe(0);
});

test('the connections of the process are counted', async () => {
  const families = await scrape();
  // The reading itself asks the database.
  const inUse = sampleOf(families, 'continuity_database_pool_connections{state="in_use"}') ?? 0;
  const idle = sampleOf(families, 'continuity_database_pool_connections{state="idle"}') ?? 0;
  expect(inUse + idle).toBeGreaterThan(0);
  expect(sampleOf(families, 'continuity_database_pool_waiting')).toBe(0);
});
