import { expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope, remember } from '../support/memory.ts';
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
  const source_refs = await captureSources(client, scope, 1);
  const proposal = { ...experience(), lesson: `A lesson of ${tenant}` };
  const { body } = await reviewCalls(client).propose(scope, { source_refs }, proposal);
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

test.each(['reader', 'writer'] as const)(
  'spec 60 scenario 23: a %s sees no control that 403 forbids, and reads everything',
  async (role) => {
    const { scope, id } = await propose('acme');
    const client = clientOf(on.service.url, 'acme');
    const { entry } = await remember(client, scope, 'A text of acme.');
    const review = reviewCalls(client);
    const target = await review.create(scope, 'experience');
    const { body: stale } = await review.propose(scope, { artifact_refs: [target], target } as never);
    await review.replace(scope, target);
    // The proxy answers for a service with roles.
    on.proxy.treat(({ path }) =>
      path === '/v1/caller'
        ? { status: 200, body: { tenant: 'acme', authentication: true, actor: null, role } }
        : 'forward',
    );
    const writes = role === 'writer' ? 1 : 0;
    const expectButtons = async (counts: Record<string, number>) => {
      for (const [name, count] of Object.entries(counts)) {
        const drawn = await on.tab.page.getByRole('button', { name: new RegExp(`^${name}`) }).count();
        expect([name, Math.min(1, drawn)]).toEqual([name, count]);
      }
    };
    await on.tab.page.goto(
      `${on.proxy.url}/console/review?within=scope&scope=${scope}&of=${scope}&candidate=${id}`,
    );
    await signIn(tokenOf('acme'));
    await on.tab.page.getByRole('heading', { level: 2, name: 'A lesson of acme' }).waitFor();
    await on.tab.settle();
    await expectButtons({ 'Approve version': 0, 'Reject version': 0, 'Revise version': writes });
    await on.tab.open(`review?within=scope&scope=${scope}&of=${scope}&candidate=${stale.candidate_id}`);
    await on.tab.page.getByText(/^Difference to the head/).waitFor();
    await expectButtons({ 'Approve version': 0, Reject: 0, 'Propose anew': writes });
    await on.tab.open(`memory?scope=${scope}&entry=${entry.citation.entry_id}`);
    await on.tab.page.getByRole('region', { name: 'Entry' }).getByText('A text of acme.').first().waitFor();
    await expectButtons({ Remember: writes, 'Revise version': writes, 'Retire version': writes });
    await on.tab.open(`sources?scope=${scope}`);
    await on.tab.page.getByRole('table', { name: 'Sources' }).waitFor();
    await expectButtons({ Flush: writes });
    await on.tab.open('first-steps');
    await expectButtons({ Capture: writes, Flush: writes, Propose: writes, Search: 1, Explain: 1 });
    await on.tab.open(`why?scope=${scope}#q=text+of+acme`);
    await on.tab.page.getByRole('table', { name: 'Candidates' }).waitFor();
  },
);

test('spec 60 §5.3.5: a 403 names the role', async () => {
  const { scope } = await propose('acme');
  on.proxy.treat(({ path }) =>
    path.endsWith('/memory/entries/list')
      ? { status: 403, body: { error: { code: 'forbidden', message: 'Not allowed.', details: {} } } }
      : 'forward',
  );
  await on.tab.page.goto(`${on.proxy.url}/console/memory?scope=${scope}`);
  await signIn(tokenOf('acme'));
  await on.tab.page.getByText('Your role, admin, does not allow this.').waitFor();
});
