import { type Client, clientFor, type MetricFamily, readOpenMetrics } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

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
  await expect(metrics.send('GET', '/metrics')).rejects.toThrow('fetch failed');
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
  const families = await scrape();
  expect(sampleOf(families, 'continuity_queue_depth{queue="memory-flush",status="queued"}')).toBe(2);
  expect(sampleOf(families, 'continuity_queue_depth{queue="memory-flush",status="running"}')).toBe(1);
  const oldest = sampleOf(families, 'continuity_queue_oldest_age_seconds{queue="memory-flush"}');
  expect(oldest).toBeGreaterThanOrEqual(60);
  expect(oldest).toBeLessThan(90);
  expect(sampleOf(families, 'continuity_memory_flush_lag_seconds')).toBeGreaterThanOrEqual(90);
  expect(sampleOf(families, 'continuity_sources_parked')).toBe(0);
});

test('the connections of the process are counted', async () => {
  const families = await scrape();
  // The reading itself asks the database.
  const inUse = sampleOf(families, 'continuity_database_pool_connections{state="in_use"}') ?? 0;
  const idle = sampleOf(families, 'continuity_database_pool_connections{state="idle"}') ?? 0;
  expect(inUse + idle).toBeGreaterThan(0);
  expect(sampleOf(families, 'continuity_database_pool_waiting')).toBe(0);
});
