import { hasBrowser, startBrowser } from '@continuity/testing/browser';
import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { startService } from '../support/service.ts';

const open = await startService();
const guarded = await startService({ environment: { AUTH_TOKEN: 'a-token-of-the-page-tests' } });

afterAll(() => Promise.all([open.stop(), guarded.stop()]));

const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

async function visit(url: string, path: string) {
  const response = await fetch(`${url}${path}`, { headers: asBrowser });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test.each(['/docs', '/docs?x=1', '/redoc', '/reports/view', '/reports/view?scope_id=shop'])(
  'a browser without a token reads at %s how to send one',
  async (path) => {
    const { status, headers, text } = await visit(guarded.url, path);
    expect([status, headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-service-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(text).toContain('Authorization: Bearer');
    const [, link = ''] = /<a href="([^"]+)">open the console/.exec(text) ?? [];
    expect(link).not.toMatch(/^\/|:/);
    const console = new URL(link, `${guarded.url}${path}`);
    expect(console.pathname).toBe('/console/');
    expect((await visit(console.origin, console.pathname)).status).toBe(200);
  },
);

test('without the console the page does not link to it', async () => {
  const plain = await startService({
    environment: { AUTH_TOKEN: 'a-token-of-the-page-tests', CONSOLE: 'off' },
  });
  try {
    const { status, text } = await visit(plain.url, '/docs');
    expect(status).toBe(401);
    expect(text).toContain('Authorization: Bearer');
    expect(text).not.toContain('console');
  } finally {
    await plain.stop();
  }
});

test.each(['/docs', '/reports/view'])('other clients keep the envelope at %s', async (path) => {
  for (const accept of ['*/*', 'application/json'])
    expectError(
      await guarded.send('GET', path, undefined, { accept, authorization: '' }),
      401,
      'unauthorized',
    );
  expectError(
    await guarded.send('POST', path, '{}', { ...asBrowser, authorization: '' }),
    401,
    'unauthorized',
  );
});

test('paths of the API keep the envelope for a browser too', async () => {
  for (const path of ['/v1/scopes', '/nothing', '/openapi.json'])
    expectError(
      await guarded.send('GET', path, undefined, { ...asBrowser, authorization: '' }),
      401,
      'unauthorized',
    );
});

test('the report page without a selection offers to choose one, and shows nothing of the address', async () => {
  for (const query of ['', '?', '?locale=en', '?locale=<script>alert(1)</script>']) {
    const { status, headers, text } = await visit(open.url, `/reports/view${query}`);
    expect([status, headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8']);
    for (const name of ['project_id', 'scope_id', 'root_scope_id']) expect(text).toContain(`name="${name}"`);
    expect(text).not.toContain('script');
  }
});

test('a wrong selection and other clients get the envelope', async () => {
  for (const query of ['?scope_id=', '?scope_id=a&project_id=b'])
    expectError(
      await open.send('GET', `/reports/view${query}`, undefined, asBrowser),
      422,
      'invalid_request',
    );
  expectError(await open.send('GET', '/reports/view'), 422, 'invalid_request');
});

test.skipIf(!(await hasBrowser()))('the form in Chromium opens the report of the typed Scope', async () => {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${open.url}/reports/view`);
    await page.getByLabel('One Scope').fill('shop & co');
    await page.getByRole('button').first().click();
    await page.waitForURL(/scope_id=/);
    expect(new URL(page.url()).searchParams.get('scope_id')).toBe('shop & co');
  } finally {
    await browser.close();
  }
});
