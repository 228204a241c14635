import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startService, startTestGateway } from '../support/service.ts';
import { expectNoComplaints, openTab, setUpConsole } from './support/console.ts';
import { getBytes } from './support/get-bytes.ts';
import { startProxy } from './support/proxy.ts';

const on = setUpConsole();

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}, url = on.service.url) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' });

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types console";

/** Names of the files that the page loads first. */
async function assets(): Promise<string[]> {
  const html = await (await get('/console/')).text();
  return [...html.matchAll(/(?:href|src)="([\w.-]+)"/g)].map(([, name]) => name ?? '');
}

test('spec 60 scenario 4: a browser at the root comes to the console, also where it needs a token', async () => {
  const guarded = await startService({ environment: { AUTH_TOKEN: 'a-token-of-the-console-tests' } });
  try {
    for (const url of [on.service.url, guarded.url]) {
      const root = await get('/', asBrowser, url);
      expect([root.status, root.headers.get('location')]).toEqual([302, 'console/']);
      const bare = await get('/console', {}, url);
      expect([bare.status, bare.headers.get('location')]).toEqual([308, 'console/']);
      expect((await get('/console/', {}, url)).status).toBe(200);
      expect((await get('/console/nope.js', {}, url)).status).toBe(404);
      expect((await get('/console/x/y', {}, url)).status).toBe(404);
    }
    expect((await get('/console/', { authorization: 'Bearer skt_receiver' }, guarded.url)).status).toBe(401);
    expect((await get('/nothing', {}, guarded.url)).status).toBe(401);
  } finally {
    await guarded.stop();
  }
});

test('spec 60 scenario 4: the page has exactly the policy, and other methods are refused', async () => {
  const page = await get('/console/review');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toBe(policy);
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect((await fetch(`${on.service.url}/console/`, { method: 'HEAD' })).status).toBe(200);
  const refused = await fetch(`${on.service.url}/console/`, { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('spec 60 scenario 4: br, gzip and neither give equal bytes, and hashed files are immutable', async () => {
  for (const name of ['', ...(await assets())]) {
    const bodies = await Promise.all(
      (['br', 'gzip', 'identity'] as const).map(async (encoding) => {
        const { headers, bytes } = await getBytes(on.service.url, `/console/${name}`, {
          'accept-encoding': encoding,
        });
        expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
        expect(headers['vary']).toContain('Accept-Encoding');
        if (/-[\w-]{8}\.\w+$/.test(name))
          expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
        else {
          expect(headers['cache-control']).toBe('no-cache');
          const again = await getBytes(on.service.url, `/console/${name}`, {
            'accept-encoding': encoding,
            'if-none-match': String(headers['etag']),
          });
          expect(again.status).toBe(304);
        }
        if (encoding === 'br') return brotliDecompressSync(bytes);
        return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
      }),
    );
    expect(bodies[0]?.equals(bodies[2] as Buffer)).toBe(true);
    expect(bodies[1]?.equals(bodies[2] as Buffer)).toBe(true);
  }
});

test('spec 60 scenario 4: it is served while the database is down, and not with CONSOLE=off', async () => {
  const lost = await startTestGateway({
    ...on.service.settings,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  });
  lost.ready.catch(() => undefined);
  try {
    expect((await get('/console/', {}, lost.url)).status).toBe(200);
  } finally {
    await lost.stop();
  }
  const off = await startService({ environment: { CONSOLE: 'off' } });
  try {
    expect((await get('/console/', {}, off.url)).status).toBe(404);
    expect((await get('/', asBrowser, off.url)).headers.get('location')).toBe('docs');
  } finally {
    await off.stop();
  }
});

test('spec 60 scenario 4: a foreign Host is 421 without authentication, and a link of another site opens the page', async () => {
  const foreign = await getBytes(on.service.url, '/console/', { host: 'evil.example' });
  expect(foreign.status).toBe(421);
  const linked = await getBytes(on.service.url, '/console/review?candidate=x', {
    'sec-fetch-site': 'cross-site',
  });
  expect(linked.status).toBe(200);
});

/** The pages by segment. */
const titles = {
  '': 'Home',
  review: 'Review',
  why: 'Why',
  memory: 'Memory',
  sources: 'Sources',
  'first-steps': 'First steps',
};

test('spec 60 scenario 4: behind a proxy below a path all pages work, and framed it does not load', async () => {
  const proxy = await startProxy(on.service.url, '/a/b');
  const tab = await openTab(on.browser, proxy.url);
  try {
    for (const [segment, title] of Object.entries(titles)) {
      await tab.open(segment);
      expect(await tab.page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
      expect(await tab.page.title()).toBe(`${title} · Continuity`);
      expect(await tab.page.locator('main [role="alert"]').count()).toBe(0);
    }
    await tab.open('review');
    expect(await tab.page.getByText('Nothing waits.').isVisible()).toBe(true);
    expectNoComplaints(tab);
    await tab.page.route('**/framing', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${proxy.url}/console/review"></iframe>`,
      }),
    );
    await tab.page.goto(`${proxy.url}/framing`);
    await tab.page.waitForLoadState('networkidle');
    expect(await tab.page.frames()[1]?.locator('#console').count()).toBe(0);
  } finally {
    await tab.close();
    await proxy.stop();
  }
});

test('spec 60 §9: the files keep their bars, and hold no schema library', async () => {
  const bytesOf = async (name: string) =>
    (await getBytes(on.service.url, `/console/${name}`, { 'accept-encoding': 'br' })).bytes.length;
  const names = await assets();
  const style = names.find((name) => name.endsWith('.css')) ?? '';
  expect(await bytesOf('')).toBeLessThanOrEqual(4 * 1024);
  expect(await bytesOf('icon.svg')).toBeLessThanOrEqual(2 * 1024);
  expect(await bytesOf(style)).toBeLessThanOrEqual(16 * 1024);
  const scripts = new Map<string, number>();
  on.tab.page.on('response', async (response) => {
    const name = new URL(response.url()).pathname.split('/').at(-1) ?? '';
    if (name.endsWith('.js')) scripts.set(name, await bytesOf(name));
  });
  const all = new Map<string, number>();
  const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0);
  for (const segment of Object.keys(titles)) {
    scripts.clear();
    await on.tab.open(segment);
    await expect.poll(() => scripts.size).toBeGreaterThan(1);
    expect({ segment, bytes: sum(scripts.values()) }).toEqual({
      segment,
      bytes: Math.min(sum(scripts.values()), 110 * 1024),
    });
    for (const [name, size] of scripts) all.set(name, size);
  }
  expect(sum(all.values())).toBeLessThanOrEqual(220 * 1024);
  // A sign-in needs what the page loads before its first call.
  const first = names.filter((name) => name.endsWith('.js'));
  expect(sum(await Promise.all(first.map(bytesOf)))).toBeLessThanOrEqual(60 * 1024);
  for (const name of all.keys())
    expect(await (await get(`/console/${name}`)).text()).not.toContain('ZodError');
});
