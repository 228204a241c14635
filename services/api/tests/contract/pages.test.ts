import { operations } from '@continuity/contract/operations';
import { clientFor } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeApi } from '../../src/openapi/index.ts';
import { documentationPages } from '../../src/pages/index.ts';
import { startService, type TestService } from '../support/service.ts';

const token = 'a-token-for-the-page-tests';
const pages = documentationPages(true);
const forPeople = pages.filter(({ contentType }) => contentType.startsWith('text/html'));
const cached = pages.filter(({ body }) => 'cached' in body);

let open: TestService;
let guarded: TestService;

beforeAll(async () => {
  [open, guarded] = await Promise.all([startService(), startService({ environment: { AUTH_TOKEN: token } })]);
});

afterAll(() => Promise.all([open.stop(), guarded.stop()]));

test('/openapi.json is the document of the operations', async () => {
  const described = JSON.stringify(describeApi(operations));
  const withToken = clientFor(guarded.url, { authorization: `Bearer ${token}` });
  const reply = await withToken.send('GET', '/openapi.json');
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.text).toBe(described);
});

test('/openapi.json does not mention security where authentication is off', async () => {
  const described = JSON.stringify(describeApi(operations), (key, value) =>
    ['security', 'securitySchemes'].includes(key) ? undefined : value,
  );
  expect((await open.send('GET', '/openapi.json')).text).toBe(described);
});

describe.each(pages)('$path', ({ path, contentType }) => {
  test('is served to anybody where authentication is off', async () => {
    const reply = await open.send('GET', path);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe(contentType);
    expect(reply.headers.get('x-service-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect((await open.send('HEAD', path)).status).toBe(200);
  });

  test('needs the token, from the header only, where it is on', async () => {
    for (const asked of [path, `${path}?token=${token}`, `${path}?access_token=${token}`]) {
      const refused = await guarded.send('GET', asked);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
    const allowed = clientFor(guarded.url, { authorization: `Bearer ${token}` });
    expect((await allowed.send('GET', path)).status).toBe(200);
  });

  test('is 405 for any other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const reply = await open.send(method, path);
      expect(reply.json).toMatchObject({ error: { code: 'method_not_allowed' } });
      expect(reply.headers.get('allow')).toBe('GET, HEAD');
    }
  });
});

test.each(cached)(
  '$path is not sent twice to a browser that kept it, and never kept by a proxy',
  async ({ path }) => {
    const first = await open.send('GET', path);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const tag = first.headers.get('etag') ?? '';
    const again = await open.send('GET', path, undefined, { 'if-none-match': `"other", W/${tag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(tag);
    const changed = await open.send('GET', path, undefined, { 'if-none-match': '"other"' });
    expect(changed.status).toBe(200);
  },
);

describe.each(forPeople)('$path', ({ path }) => {
  test('loads from this server alone, and its policy forbids anything else', async () => {
    const { text, headers } = await open.send('GET', path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:|unsafe|\*/);
    const loaded = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url ?? '');
    const files = loaded.filter((url) => url !== 'data:,');
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const url = new URL(file, open.url + path);
      expect(url.origin).toBe(open.url);
      expect((await open.send('GET', url.pathname)).status).toBe(200);
    }
  });

  test('makes a nonce for each answer, and lets nobody keep it', async () => {
    const replies = await Promise.all([open.send('GET', path), open.send('GET', path)]);
    const nonces = replies.map(
      ({ headers }) => /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1],
    );
    expect(new Set(nonces).size).toBe(2);
    expect(replies.every(({ text }, index) => text.includes(`nonce="${nonces[index]}"`))).toBe(true);
    expect(replies.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store']);
  });
});
