import { afterAll, expect, test } from 'vitest';
import { expectIssues, freshScope } from '../support/memory.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';

const service = await startService();

afterAll(() => service.stop());

/** GET of a target exactly as given: `fetch` would resolve dots before it sends them. */
const get = (target: string) => rawRequest(service.url, `GET ${target} HTTP/1.1`);

test.each([
  ['a slash', 'x/y', 'x%2Fy'],
  ['a lower-case escape', 'x/y', 'x%2fy'],
  ['an escaped escape', 'x%2Fy', 'x%252Fy'],
  ['two dots', '..', '%2e%2e'],
  ['one dot', '.', '%2E'],
  ['a letter', 'default', '%64efault'],
  ['a question mark', 'a?b', 'a%3Fb'],
  ['a plus sign', 'a+b', 'a+b'],
  ['a space', 'a b', 'a%20b'],
  ['a semicolon and a colon', 'a;b:c@d', 'a;b:c@d'],
  ['four bytes', '\u{1F9E0}', '%F0%9F%A7%A0'],
])('spec 10 §1.6: %s in a segment', async (_name, id, segment) => {
  const scope_id = freshScope(id);
  await capture(service, scope_id, id, `of ${id}`);
  await capture(service, id, 'mine', `in ${id}`);
  const source = await get(`/v1/scopes/${encodeURIComponent(scope_id)}/sources/content/${segment}`);
  expect(source).toMatchObject({ status: 200, json: { scope_id, source_id: id, content: `of ${id}` } });
  const scope = await get(`/v1/scopes/${segment}/sources/content/mine`);
  expect(scope).toMatchObject({ status: 200, json: { scope_id: id, content: `in ${id}` } });
});

test('spec 10 §1.6: raw dots are ids and do not leave their path', async () => {
  await capture(service, '..', 'secret');
  expect((await get('/v1/scopes/../sources/content/secret')).status).toBe(200);
  expect((await get('/v1/scopes/x/../sources/content/secret')).status).toBe(404);
});

test('spec 10 scenario 8: x%2Fy and x/y never reach the same Scope', async () => {
  await capture(service, 'x/y', 'one');
  expect((await get('/v1/scopes/x%2Fy/sources/content/one')).status).toBe(200);
  expect(await get('/v1/scopes/x/y/sources/content/one')).toMatchObject({
    status: 404,
    json: { error: { code: 'not_found' } },
  });
});

test.each([
  ['a bad escape', '%zz'],
  ['half an escape', 'a%2'],
  ['a lone percent sign', '%'],
  ['invalid UTF-8', '%ff'],
  ['an overlong slash', '%c0%af'],
  ['a surrogate in UTF-8', '%ed%a0%80'],
  ['a NUL', 'a%00b'],
  ['blanks', '%20%20'],
  ['257 characters', 'x'.repeat(257)],
  ['257 emoji', '%F0%9F%A7%A0'.repeat(257)],
  ['6,000 characters', 'x'.repeat(6_000)],
])('spec 10 §1.6: %s in a segment is 422', async (_name, segment) => {
  expectIssues(await get(`/v1/scopes/s/sources/content/${segment}`), ['source_id']);
  expectIssues(await get(`/v1/scopes/${segment}/sources/content/x`), ['scope_id']);
});

test.each([
  '/v1/scopes//sources/content/x',
  '/v1/scopes/s/sources/content/',
  '/v1/scopes/s/sources//x',
  '//v1/capabilities',
  '/v1//capabilities',
  '/v1/capabilities/',
  '/V1/capabilities',
  '/v1/%63apabilities',
  '/v1/capabilities%3Fx',
  '/v1%2Fcapabilities',
  '/',
  '',
  '*',
])('spec 10 §1.6: %s is nowhere', async (target) => {
  const reply = await get(target === '' ? '/?' : target);
  expect(reply).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
});
