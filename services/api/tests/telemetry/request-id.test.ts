import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

const anId = /^[0-9a-f]{32}$/;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service?.stop());

async function requestId(path: string, traceparent?: string): Promise<string | null> {
  const { headers } = await service.send('GET', path, undefined, traceparent ? { traceparent } : {});
  return headers.get('x-service-request-id');
}

test('every answer has a request id of its own, without tracing too', async () => {
  const paths = ['/health/live', '/v1/capabilities', '/v1/unknown', '/metrics', '/v1/sources/content'];
  const ids = await Promise.all(paths.map((path) => requestId(path)));
  for (const id of ids) expect(id).toMatch(anId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a valid traceparent gives the request its id, any other value does not', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  expect(await requestId('/health/live', `00-${traceId}-b7ad6b7169203331-01`)).toBe(traceId);
  for (const wrong of [
    `ff-${traceId}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-b7ad6b7169203331-01`,
    `00-${traceId}-b7ad6b7169203331-01-more`,
    'secret',
  ]) {
    const id = await requestId('/health/live', wrong);
    expect(id).toMatch(anId);
    expect(id).not.toBe(traceId);
  }
});
