import { once } from 'node:events';
import { connect } from 'node:net';
import { waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectLines } from '../support/log-lines.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

const lines = collectLines();
let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { LOG_LEVEL: 'info' }, logs: lines });
});

afterAll(() => service?.stop());

/** The line of one request. */
async function lineOf(requestId: string | null): Promise<Record<string, unknown>> {
  const found = () => lines.named('request').filter((line) => line['request_id'] === requestId);
  await waitUntil(() => found().length > 0, { what: `line of ${requestId}` });
  expect(found()).toHaveLength(1);
  return found()[0] ?? {};
}

test('a request is one line: what was asked and how it ended, by names and numbers', async () => {
  const body = { scope_id: 'logged', source_id: 'one', content: 'Private words.' };
  const { headers } = await service.call('capture_content_source', { body });
  const line = await lineOf(headers.get('x-service-request-id'));
  expect(line).toEqual({
    level: 30,
    time: expect.any(Number),
    service: 'test',
    msg: 'request',
    operation: 'capture_content_source',
    method: 'POST',
    route: '/v1/sources/content',
    status: 202,
    duration_ms: expect.any(Number),
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    tenant: expect.any(Number),
    bytes_in: Buffer.byteLength(JSON.stringify(body)),
    bytes_out: expect.any(Number),
  });
  expect(line['bytes_out']).toBeGreaterThan(0);
});

test('a mistake of the caller has its code and no stack, and its route is the pattern', async () => {
  const { headers } = await service.send('GET', '/v1/scopes/a-private-scope/sources/content/x?token=private');
  const line = await lineOf(headers.get('x-service-request-id'));
  expect(line).toMatchObject({ level: 30, status: expect.any(Number), code: expect.any(String) });
  expect(line).not.toHaveProperty('err');
  expect(JSON.stringify(line)).not.toContain('private');
});

test('an unknown route is named so', async () => {
  const { headers } = await service.send('GET', '/not/known/private');
  const line = await lineOf(headers.get('x-service-request-id'));
  expect(line).toMatchObject({
    operation: 'unknown_route',
    route: null,
    status: 404,
    code: 'not_found',
    tenant: expect.any(Number),
  });
});

test('a page is named by its path', async () => {
  const { headers } = await service.send('GET', '/openapi.json');
  const line = await lineOf(headers.get('x-service-request-id'));
  expect(line).toMatchObject({ operation: 'openapi.json', route: '/openapi.json', status: 200 });
});

test('a failure of the service is an error line with its cause, without the values it was about', async () => {
  // An invalid row: the statement fails and PostgreSQL reports the whole row in `detail`.
  await query(
    service.databaseUrl,
    `ALTER TABLE sources ADD CONSTRAINT refuses_all CHECK (content NOT LIKE '%Private%') NOT VALID`,
  );
  const body = { scope_id: 'refused', source_id: 'one', content: 'Private words that fail.' };
  const { status, headers } = await service.send('POST', '/v1/sources/content', body);
  expect(status).toBe(500);
  const line = await lineOf(headers.get('x-service-request-id'));
  expect(line).toMatchObject({
    level: 50,
    code: 'internal_error',
    err: {
      code: '23514',
      constraint: 'refuses_all',
      table: 'sources',
      stack: expect.stringContaining('at '),
    },
  });
  expect(lines.text()).not.toContain('Private');
});

test('a caller that goes away is a line too', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const traceId = '2af7651916cd43dd8448eb211c80319c';
  socket.write(
    'POST /v1/memory/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n' +
      `traceparent: 00-${traceId}-b7ad6b7169203331-01\r\n\r\n{"scope_id":`,
  );
  await waitUntil(async () => {
    const { text } = await service.send('GET', '/metrics');
    return text.includes('operation="metrics"');
  });
  socket.destroy();
  expect(await lineOf(traceId)).toMatchObject({
    operation: 'search_memory',
    status: null,
    aborted: true,
    level: 30,
  });
});

test('a probe that is well is no news', async () => {
  const { headers } = await service.call('get_liveness');
  await lineOf((await service.call('get_capabilities')).headers.get('x-service-request-id'));
  const id = headers.get('x-service-request-id');
  expect(lines.named('request').filter((line) => line['request_id'] === id)).toEqual([]);
});
