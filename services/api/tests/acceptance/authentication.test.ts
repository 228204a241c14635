import { operations } from '@continuity/contract/operations';
import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

const AUTH_TOKENS_FILE = await writeTokens('blue', 'red');
const service = await startService({ environment: { AUTH_TOKENS_FILE } });

afterAll(() => service.stop());

const token = tokenOf('blue');
const authorized = (authorization: string) =>
  service.send('GET', '/v1/capabilities', undefined, { authorization });

test('spec 10 scenario 3: the health paths answer without a token, and with any', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    expect((await service.send('GET', path)).status).toBe(200);
    const wrong = await service.send('GET', path, undefined, { authorization: 'Bearer wrong' });
    expect(wrong.status).toBe(200);
  }
});

test('spec 00 §6: the health paths are public to methods that they do not take, too', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    for (const client of [service, clientOf(service.url, 'blue')]) {
      const reply = await client.send('POST', path, '{}');
      expectError(reply, 405, 'method_not_allowed');
      expect(reply.headers.get('allow')).toBe('GET, HEAD');
    }
    expectError(await service.send('POST', `${path}/`, '{}'), 401, 'unauthorized');
  }
});

const bearer = operations
  .filter((operation) => operation.auth === 'bearer')
  .map(({ id, method, path }) => ({ id, method, path: path.replaceAll(/\{\w+\}/g, 'x') }));

test.each(bearer)('spec 10 scenario 3: $id is 401 without the token', async ({ method, path }) => {
  const body = method === 'GET' ? undefined : '{}';
  expectError(await service.send(method, path, body), 401, 'unauthorized');
  for (const query of [`token=${token}`, `access_token=${token}`, `authorization=Bearer%20${token}`]) {
    expectError(await service.send(method, `${path}?${query}`, body), 401, 'unauthorized');
  }
  const outer = await service.send(method, path, body, { 'x-api-key': token, cookie: `token=${token}` });
  expectError(outer, 401, 'unauthorized');
});

test('spec 00 §6: an unknown route is 401 without the token, and 404 with it', async () => {
  expectError(await service.send('GET', '/nothing'), 401, 'unauthorized');
  expectError(await service.send('DELETE', '/v1/capabilities'), 401, 'unauthorized');
  expectError(await clientOf(service.url, 'red').send('GET', '/nothing'), 404, 'not_found');
});

test('spec 10 §1.2: the token is checked before the rest of the request', async () => {
  for (const body of ['not json', '{"unknown":1}', 'x'.repeat(9_000_000)]) {
    expectError(await service.send('POST', '/v1/memory/remember', body), 401, 'unauthorized');
  }
  const path = '/v1/scopes/%zz/sources/content/x';
  expectError(await rawRequest(service.url, `GET ${path} HTTP/1.1`), 401, 'unauthorized');
});

test.each([
  ['the scheme in lower case', `bearer ${token}`, 200],
  ['the scheme in capitals', `BEARER ${token}`, 200],
  ['two spaces', `Bearer  ${token}`, 200],
  ['no scheme', token, 401],
  ['another scheme', `Basic ${token}`, 401],
  ['no space', `Bearer${token}`, 401],
  ['no token', 'Bearer', 401],
  ['a longer token', `Bearer ${token}x`, 401],
  ['a shorter token', `Bearer ${token.slice(0, -1)}`, 401],
  ['a token in another case', `Bearer ${token.toUpperCase()}`, 401],
  ['two tokens', `Bearer ${token}, Bearer ${token}`, 401],
  ['the name of a tenant', 'Bearer blue', 401],
])('spec 00 §6: %s', async (_name, authorization, status) => {
  const reply = await authorized(authorization);
  if (status === 401) expectError(reply, 401, 'unauthorized');
  else expect(reply.status).toBe(200);
});

test('spec 00 §6: a token in the query stays out of the answer', async () => {
  const reply = await service.send('GET', `/v1/capabilities?token=${token}`);
  expect(reply.text).not.toContain(token);
});

test('spec 00 §6: two Authorization headers are 401, whichever is valid', async () => {
  const valid = `Authorization: Bearer ${token}`;
  for (const headers of [
    [valid, valid],
    [valid, 'authorization: Bearer other'],
    ['AUTHORIZATION: Basic x', valid],
  ]) {
    const reply = await rawRequest(service.url, 'GET /v1/capabilities HTTP/1.1', headers);
    expectError(reply, 401, 'unauthorized');
  }
});

test.each(bearer)('spec 00 §6: $id is 401 for the role operator', async ({ method, path }) => {
  const body = method === 'GET' ? undefined : '{}';
  const operator = clientOf(service.url, 'operator');
  expectError(await operator.send(method, path, body), 401, 'unauthorized');
});

test('spec 00 §6: the role operator reads the data that belongs to no tenant', async () => {
  const operator = clientOf(service.url, 'operator');
  for (const path of ['/openapi.json', '/docs', '/metrics'])
    expect((await operator.send('GET', path)).status).toBe(200);
  expectError(await operator.send('GET', '/nothing'), 404, 'not_found');
});
