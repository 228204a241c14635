import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { rawExchange, rawRequest } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

const post = 'POST /v1/memory/remember HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

test.each([
  ['nonsense', 'hello there\r\n\r\n'],
  ['binary bytes', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown method', 'FETCH /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a space in the target', 'GET /health live HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a header without a colon', 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n'],
  ['a header with a NUL', 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nA: b\0c\r\n\r\n'],
  ['a space before a colon', 'GET /health/live HTTP/1.1\r\nHost : x\r\n\r\n'],
  ['HTTP of another century', 'GET /health/live HTTP/9.9\r\nHost: localhost\r\n\r\n'],
  ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a length that is no number', `${post}Content-Length: two\r\n\r\n{}`],
  ['a negative length', `${post}Content-Length: -2\r\n\r\n{}`],
  ['a length beside chunks', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a chunk size that is none', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
])('%s is 400 with the envelope', async (_name, bytes) => {
  const reply = await rawExchange(service.url, bytes);
  expectError(reply, 400, 'invalid_request');
  expect(reply.headers.get('connection')).toBe('close');
});

test.each([
  ['a long target', `GET /v1/scopes/${'x'.repeat(20_000)}/sources/content/x HTTP/1.1`, []],
  ['a long query', `GET /v1/capabilities?q=${'x'.repeat(20_000)} HTTP/1.1`, []],
  ['a long header', 'GET /v1/capabilities HTTP/1.1', [`X-Long: ${'x'.repeat(20_000)}`]],
  ['many headers', 'GET /v1/capabilities HTTP/1.1', Array.from({ length: 2_000 }, (_, n) => `X-${n}: value`)],
])('%s is 431 with the envelope', async (_name, line, headers) => {
  expectError(await rawRequest(service.url, line, headers), 431, 'invalid_request');
});

test('a caller that goes on sending still gets its answer', async () => {
  const bytes = `nonsense ${'x'.repeat(2_000_000)}`;
  expectError(await rawExchange(service.url, bytes), 400, 'invalid_request');
});

test('what fits is answered: the longest ids, a long query, a long token', async () => {
  const id = '%F0%9F%A7%A0'.repeat(256);
  const target = `GET /v1/scopes/${id}/sources/content/${id} HTTP/1.1`;
  expectError(await rawRequest(service.url, target), 404, 'source_not_found');
  const line = `GET /v1/capabilities?q=${'x'.repeat(7_000)} HTTP/1.1`;
  const reply = await rawRequest(service.url, line, [`Authorization: Bearer ${'t'.repeat(7_000)}`]);
  expect(reply.status).toBe(200);
});

const capabilities = 'GET /v1/capabilities HTTP/1.1\r\n';

test.each([
  ['no Host', `${capabilities}Connection: close\r\n\r\n`],
  ['HTTP/1.0', 'GET /v1/capabilities HTTP/1.0\r\n\r\n'],
  ['an unknown expectation', `${capabilities}Host: localhost\r\nExpect: more\r\nConnection: close\r\n\r\n`],
  ['an upgrade', `${capabilities}Host: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n`],
])('%s is passed over', async (_name, bytes) => {
  const reply = await rawExchange(service.url, bytes);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('x-service-request-id')).toMatch(/^[0-9a-f]{32}$/);
});

test('the service goes on after all of it', async () => {
  expect((await service.send('GET', '/health/live')).status).toBe(200);
});
