import { operations } from '@continuity/contract/operations';
import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

const isOfReceivers = ({ auth }: (typeof operations)[number]) => auth === 'target';

const paths = [
  ...new Set(operations.filter((operation) => !isOfReceivers(operation)).map(({ path }) => path)),
].map((path) => ({
  path: path.replaceAll(/\{\w+\}/g, 'x'),
  allowed: operations
    .filter((operation) => operation.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
}));

test.each(paths)('$path takes $allowed and answers 405 to anything else', async ({ path, allowed }) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    const reply = await rawRequest(service.url, `${method} ${path} HTTP/1.1`);
    if (allowed.includes(method)) {
      expect(reply.json).not.toMatchObject({ error: { code: 'not_found' } });
      expect(reply.headers.get('x-service-request-id')).toMatch(/^[0-9a-f]{32}$/);
      continue;
    }
    expectError(reply, 405, 'method_not_allowed');
    expect(reply.headers.get('allow')?.split(', ').sort()).toEqual([...new Set(allowed)].sort());
  }
});

test.each(operations.filter(isOfReceivers))(
  '$path is 401 without a credential, for any method',
  async ({ path }) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expectError(await rawRequest(service.url, `${method} ${path} HTTP/1.1`), 401, 'unauthorized');
  },
);

test('HEAD is a GET without its body', async () => {
  const reply = await rawRequest(service.url, 'HEAD /v1/capabilities HTTP/1.1');
  expect(reply).toMatchObject({ status: 200, text: '' });
  expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(100);
  const wrong = await rawRequest(service.url, 'HEAD /v1/memory/remember HTTP/1.1');
  expect(wrong).toMatchObject({ status: 405, text: '' });
  expect(wrong.headers.get('allow')).toBe('POST');
  expect(await rawRequest(service.url, 'HEAD /nothing HTTP/1.1')).toMatchObject({ status: 404, text: '' });
});

test.each(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND'])(
  'an unknown route is 404 to %s',
  async (method) => {
    for (const path of ['/nothing', '/v1', '/v1/memory', '/v1/memory/remember/', '/v1/memory/x']) {
      expectError(await rawRequest(service.url, `${method} ${path} HTTP/1.1`), 404, 'not_found');
    }
  },
);

test('OPTIONS of the whole server is nowhere', async () => {
  expectError(await rawRequest(service.url, 'OPTIONS * HTTP/1.1'), 404, 'not_found');
});

test('unknown query parameters are ignored', async () => {
  const reply = await service.send('GET', '/v1/capabilities?a=1&a=2&limit=x&%zz&=');
  expect(reply.status).toBe(200);
});

test('an absolute target is that of its path', async () => {
  const reply = await rawRequest(service.url, 'GET http://localhost:80/v1/capabilities?x HTTP/1.1');
  expect(reply.status).toBe(200);
  expectError(await rawRequest(service.url, 'GET http://localhost/nothing HTTP/1.1'), 404, 'not_found');
  const wrong = await rawRequest(service.url, 'DELETE http://localhost/v1/capabilities HTTP/1.1');
  expectError(wrong, 405, 'method_not_allowed');
});

test('a number sign is part of an id', async () => {
  await service.call('capture_content_source', { body: { scope_id: 's', source_id: 'a#b', content: 'x' } });
  const reply = await rawRequest(service.url, 'GET /v1/scopes/s/sources/content/a#b HTTP/1.1');
  expect(reply).toMatchObject({ status: 200, json: { source_id: 'a#b' } });
});

test('a browser at / is led to the console, a program gets 404', async () => {
  const browser = await fetch(service.url, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  expect(browser).toMatchObject({ status: 200, redirected: true, url: `${service.url}/console/` });
  await browser.body?.cancel();
  expectError(await rawRequest(service.url, 'GET / HTTP/1.1'), 404, 'not_found');
});
