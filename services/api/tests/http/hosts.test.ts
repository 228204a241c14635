import { afterAll, expect, test } from 'vitest';
import { expectError, withLength } from '../support/envelope.ts';
import { rawExchange } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';

const open = await startService({
  environment: { ALLOWED_HOSTS: 'Continuity.example, [fd00::1]', METRICS_PORT: '0' },
});
const guarded = await startService({ environment: { AUTH_TOKEN: 'a-token-of-the-host-tests' } });

afterAll(() => Promise.all([open.stop(), guarded.stop()]));

const { host } = new URL(open.url);
const remember = JSON.stringify({ scope_id: 's', kind: 'fact', text: 'x' });

function read(name: string, target = '/v1/capabilities', url = open.url) {
  return rawExchange(url, `GET ${target} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
}

function write(name: string, origin: string) {
  const headers = [`Host: ${name}`, `Origin: ${origin}`, 'Connection: close', ...withLength(remember)];
  return rawExchange(
    open.url,
    `POST /v1/memory/remember HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${remember}`,
  );
}

test.each([
  'localhost',
  'LOCALHOST:8000',
  'localhost.:80',
  '127.0.0.1',
  '127.1.2.3:9',
  '[::1]:8000',
  'continuity.example:443',
  '[fd00::1]',
])('without authentication, Host %s is served', async (name) => {
  expect((await read(name)).status).toBe(200);
});

test.each([
  'evil.example',
  'evil.example:8000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example:127.0.0.1',
  '10.0.0.1',
  '[::2]',
  'sub.continuity.example',
  '',
])('without authentication, Host %j is 421', async (name) => {
  for (const target of ['/v1/capabilities', '/openapi.json', '/nothing'])
    expectError(await read(name, target), 421, 'misdirected_request');
  expectError(await read(name, '/metrics', open.metricsUrl), 421, 'misdirected_request');
});

test('the authority of an absolute target counts instead of Host', async () => {
  const evil = await read('localhost', 'http://evil.example/v1/capabilities');
  expectError(evil, 421, 'misdirected_request');
  expect((await read('evil.example', 'http://localhost/v1/capabilities')).status).toBe(200);
});

test.each([
  ['two equal ones', ['Host: localhost', 'Host: localhost']],
  ['a foreign second one', ['Host: localhost', 'X-Between: 1', 'host: evil.example']],
  ['a foreign first one', ['HOST: evil.example', 'Host: localhost']],
])('several Host headers are 400: %s', async (_what, hosts) => {
  const ask = (target: string, url = open.url) =>
    rawExchange(url, `GET ${target} HTTP/1.1\r\n${hosts.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  for (const path of ['/v1/capabilities', '/health/live', '/docs', '/nothing', 'http://localhost/v1/scopes'])
    expectError(await ask(path), 400, 'invalid_request');
  expectError(await ask('/metrics', open.metricsUrl), 400, 'invalid_request');
  expectError(await ask('/v1/capabilities', guarded.url), 400, 'invalid_request');
});

test('the health paths answer to any Host', async () => {
  for (const path of ['/health/live', '/health/ready'])
    expect((await read('evil.example', path)).status).toBe(200);
});

test.each([
  'null',
  'http://evil.example',
  'http://127.0.0.1:1',
  `http://evil.example/${host}`,
  `http://${host}.evil.example`,
])('without authentication, a write of the foreign Origin %s is 421 and writes nothing', async (origin) => {
  expectError(await write(host, origin), 421, 'misdirected_request');
  const { body } = await open.call('list_scopes');
  expect(body.items.map(({ scope_id }) => scope_id)).not.toContain('s');
});

test('without authentication, a write of the own page or of an allowed host is taken', async () => {
  for (const origin of [`http://${host}`, 'https://continuity.example', 'https://continuity.example:8443'])
    expect((await write(host, origin)).status).toBe(200);
});

/** A request that a page of another site makes a browser send: a link, an image or a fetch. */
function readFromSite(site: string, method: string, target: string, headers: string[] = [], url = open.url) {
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, `Sec-Fetch-Site: ${site}`, ...headers];
  return rawExchange(url, `${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
}

test.each([
  '/reports/view?root_scope_id=default',
  '/v1/scopes',
  '/v1/capabilities?x=/docs',
  '/openapi.json',
  '/docs/swagger-ui.js',
  '/nothing',
])('without authentication, a page of another site cannot read %s', async (target) => {
  for (const method of ['GET', 'OPTIONS'])
    expectError(await readFromSite('cross-site', method, target), 421, 'misdirected_request');
  expect((await readFromSite('cross-site', 'HEAD', target)).status).toBe(421);
  for (const site of ['none', 'same-origin', 'same-site'])
    expect((await readFromSite(site, 'GET', target)).status).not.toBe(421);
});

test('without authentication, a page of another site cannot read the metrics on their port', async () => {
  const metrics = await readFromSite('cross-site', 'GET', '/metrics', [], open.metricsUrl);
  expectError(metrics, 421, 'misdirected_request');
});

test('links of other sites open the documentation and the health paths', async () => {
  const navigation = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', 'Accept: text/html'];
  for (const path of ['/docs', '/docs?from=wiki', '/redoc', '/health/live', '/health/ready'])
    expect((await readFromSite('cross-site', 'GET', path, navigation)).status).toBe(200);
  expect((await readFromSite('cross-site', 'GET', '/', navigation)).status).toBe(302);
});

test('a page of an allowed host reads, and another Origin does not', async () => {
  const readAs = (origin: string) =>
    readFromSite('cross-site', 'GET', '/v1/capabilities', [`Origin: ${origin}`]);
  expect((await readAs('https://continuity.example')).status).toBe(200);
  expectError(await readAs('https://wiki.example'), 421, 'misdirected_request');
});

test('with authentication, the token decides whatever the names are', async () => {
  expectError(await read('evil.example', '/v1/capabilities', guarded.url), 401, 'unauthorized');
  const head = [
    'GET /v1/capabilities HTTP/1.1',
    'Host: continuity.internal',
    'Origin: https://app.example',
    'Authorization: Bearer a-token-of-the-host-tests',
    'Connection: close',
  ];
  expect((await rawExchange(guarded.url, `${head.join('\r\n')}\r\n\r\n`)).status).toBe(200);
});
