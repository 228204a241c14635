import { expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';
import { expectAccessible, setUpConsole } from './support/console.ts';

/** Globals that the functions in the browser use. */
declare const document: { documentElement: { outerHTML: string }; cookie: string };
declare const sessionStorage: Record<string, string>;
declare const localStorage: Record<string, string>;

const on = setUpConsole(async () => ({
  environment: { AUTH_TOKENS_FILE: await writeTokens('acme', 'other') },
}));

const dialog = () => on.tab.page.getByRole('dialog', { name: 'Sign in' });

async function signIn(token: string): Promise<void> {
  await dialog().getByLabel('Token', { exact: true }).fill(token);
  await dialog().getByRole('button', { name: 'Sign in' }).click();
}

/** Proposes an Experience of the tenant, and returns its Scope and id. */
async function propose(tenant: string): Promise<{ scope: string; id: string }> {
  const client = clientOf(on.service.url, tenant);
  const scope = freshScope();
  const [source] = await captureSources(client, scope, 1);
  const { body } = await reviewCalls(client).propose(
    scope,
    { source_refs: source === undefined ? [] : [source] },
    { ...experience(), lesson: `A lesson of ${tenant}` },
  );
  return { scope, id: body.candidate_id };
}

const everywhere = () =>
  on.tab.page.evaluate(() => ({
    html: document.documentElement.outerHTML,
    cookie: document.cookie,
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
  }));

test('spec 60 scenario 2: wrong, Receiver and right tokens, and where the token is', async () => {
  await propose('acme');
  const token = tokenOf('acme');
  const sent: string[] = [];
  on.tab.page.on('request', (request) =>
    sent.push(`${request.url()} ${request.headers()['authorization'] ?? ''}`),
  );
  await on.tab.page.goto(`${on.proxy.url}/console/review`);
  await dialog().waitFor();
  await expectAccessible(on.tab);
  await signIn('skt_a-credential-of-a-receiver');
  await dialog().getByText('This is the credential of a Receiver.').waitFor();
  expect(sent.some((request) => request.includes('skt_'))).toBe(false);
  await signIn('a-wrong-token');
  await dialog().getByText('The service refused this token.').waitFor();
  await signIn(token);
  await on.tab.page.getByRole('heading', { level: 2, name: 'A lesson of acme' }).waitFor();
  await on.tab.settle();
  expect(await dialog().count()).toBe(0);
  const after = await everywhere();
  expect(after.html).not.toContain(token);
  expect(after.cookie).toBe('');
  expect(after.local).not.toContain(token);
  expect(on.tab.page.url()).not.toContain(token);
  expect(sent.some((request) => request.split(' ')[0]?.includes(token))).toBe(false);
  await on.tab.page.getByRole('button', { name: 'Requests' }).click();
  expect(await on.tab.page.getByRole('dialog', { name: 'Requests' }).textContent()).not.toContain(token);
});

test('spec 60 scenario 2: after "Sign out" nothing of the tenant is in the page or its storage', async () => {
  const { scope } = await propose('acme');
  await on.tab.page.goto(`${on.proxy.url}/console/review?within=scope&scope=${scope}`);
  await signIn(tokenOf('acme'));
  await on.tab.page.getByRole('heading', { level: 2, name: 'A lesson of acme' }).waitFor();
  await on.tab.page.getByRole('button', { name: 'Account' }).click();
  await on.tab.page.getByText('acme · admin').waitFor();
  await on.tab.page.getByRole('button', { name: 'Sign out' }).click();
  await dialog().waitFor();
  const { html, session } = await everywhere();
  for (const text of ['A lesson of acme', scope, 'acme']) expect(html).not.toContain(text);
  expect(session).toBe('{}');
  expect(on.tab.page.url()).not.toContain(scope);
});

test('spec 60 scenario 3: a form stays under "Sign in", and is sent once after a new token', async () => {
  const { scope, id } = await propose('acme');
  await on.tab.page.goto(`${on.proxy.url}/console/review?within=scope&scope=${scope}`);
  await signIn(tokenOf('acme'));
  await on.tab.page.getByRole('button', { name: 'Revise version 1' }).click();
  await on.tab.page.getByRole('textbox', { name: 'Lesson' }).fill('A revised lesson');
  // The proxy revokes the token: from now on the service does not know it.
  let isRevoked = true;
  on.proxy.treat(({ token }) =>
    isRevoked && token === tokenOf('acme')
      ? {
          status: 401,
          body: { error: { code: 'unauthorized', message: 'Send a valid token.', details: {} } },
        }
      : 'forward',
  );
  await on.tab.page.getByRole('button', { name: 'Save version 2' }).click();
  await dialog().waitFor();
  expect(await on.tab.page.getByLabel('Lesson').inputValue()).toBe('A revised lesson');
  isRevoked = false;
  await signIn(tokenOf('acme'));
  await on.tab.page.getByText('Saved as version 2.').waitFor();
  const { body } = await reviewCalls(clientOf(on.service.url, 'acme')).get(scope, id);
  expect(body).toMatchObject({ version: 2, proposal: { lesson: 'A revised lesson' } });
});

test('spec 60 §5.3.1: a token of another tenant starts afresh', async () => {
  const { scope } = await propose('acme');
  await on.tab.page.goto(`${on.proxy.url}/console/review?within=scope&scope=${scope}`);
  await signIn(tokenOf('acme'));
  await on.tab.page.getByRole('heading', { level: 2, name: 'A lesson of acme' }).waitFor();
  on.proxy.treat(({ token }) =>
    token === tokenOf('acme')
      ? {
          status: 401,
          body: { error: { code: 'unauthorized', message: 'Send a valid token.', details: {} } },
        }
      : 'forward',
  );
  await on.tab.page.keyboard.press('Alt+r');
  await signIn(tokenOf('other'));
  await on.tab.page.getByText('Nothing waits.').waitFor();
  expect((await everywhere()).html).not.toContain('A lesson of acme');
});

test('spec 60 scenario 25: a link of another tenant shows what an unknown id shows', async () => {
  const { scope, id } = await propose('acme');
  const shown = async (of: string, candidate: string) => {
    await on.tab.page.goto(`${on.proxy.url}/console/review?of=${of}&candidate=${candidate}`);
    if (await dialog().isVisible()) await signIn(tokenOf('other'));
    const text = on.tab.page.getByRole('region', { name: 'Candidate', exact: true });
    await text.getByText('Not found in this tenant').waitFor();
    return (await text.textContent())?.replaceAll(candidate, '').replaceAll(/[0-9a-f]{32}/g, '');
  };
  await on.tab.page.goto(`${on.proxy.url}/console/review`);
  await signIn(tokenOf('other'));
  await on.tab.settle();
  expect(await shown(scope, id)).toBe(await shown(freshScope(), '01a0521c-0000-7000-8000-000000000000'));
});

test.each(['reader', 'writer'] as const)(
  'spec 60 scenario 23: a %s sees no control that 403 forbids',
  async (role) => {
    const { scope } = await propose('acme');
    on.proxy.treat(({ path }) =>
      path === '/v1/caller'
        ? { status: 200, body: { tenant: 'acme', authentication: true, actor: null, role } }
        : 'forward',
    );
    await on.tab.page.goto(`${on.proxy.url}/console/review?within=scope&scope=${scope}`);
    await signIn(tokenOf('acme'));
    await on.tab.page.getByRole('heading', { level: 2, name: 'A lesson of acme' }).waitFor();
    await on.tab.settle();
    expect(await on.tab.page.getByRole('button', { name: /^Approve version/ }).count()).toBe(0);
    expect(await on.tab.page.getByRole('button', { name: /^Reject version/ }).count()).toBe(0);
    expect(await on.tab.page.getByRole('button', { name: /^Revise version/ }).count()).toBe(
      role === 'writer' ? 1 : 0,
    );
    await on.tab.open(`memory?scope=${scope}`);
    expect(await on.tab.page.getByRole('button', { name: 'Remember' }).count()).toBe(
      role === 'writer' ? 1 : 0,
    );
    await on.tab.open(`sources?scope=${scope}`);
    expect(await on.tab.page.getByRole('button', { name: 'Flush' }).count()).toBe(role === 'writer' ? 1 : 0);
  },
);
