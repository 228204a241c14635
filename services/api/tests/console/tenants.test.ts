import { createHash } from 'node:crypto';
import type { Browser } from '@continuity/testing/browser';
import { beforeAll, expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope, remember } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { clientOf, tokenOf, writeTokensFile } from '../support/tenants.ts';
import { type ConsoleTab, expectNoComplaints, openTab, setUpConsole } from './support/console.ts';

/** Tokens by name: two people of one tenant, a second token of the first one, and another tenant. */
const tokens = [
  { name: 'ada', tenant: 'acme', label: 'Ada' },
  { name: 'ada-again', tenant: 'acme', label: 'Ada 2' },
  { name: 'grace', tenant: 'acme', label: 'Grace' },
  { name: 'other', tenant: 'other', label: 'Eve' },
];

const on = setUpConsole(async () => ({
  environment: {
    AUTH_TOKENS_FILE: await writeTokensFile(
      JSON.stringify({
        tokens: tokens.map(({ name, tenant, label }) => ({
          tenant,
          label,
          token_sha256: createHash('sha256').update(tokenOf(name)).digest('hex'),
        })),
      }),
    ),
  },
}));

async function signIn({ page }: ConsoleTab, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Token', { exact: true }).fill(tokenOf(name));
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Opens an address as somebody. */
async function openAs(tab: ConsoleTab, name: string, address: string): Promise<void> {
  await tab.page.goto(`${on.proxy.url}/console/${address}`);
  await signIn(tab, name);
  await tab.settle();
}

async function propose(lesson: string): Promise<{ scope: string; id: string }> {
  const client = clientOf(on.service.url, 'ada');
  const scope = freshScope();
  const source_refs = await captureSources(client, scope, 1);
  const { body } = await reviewCalls(client).propose(scope, { source_refs }, { ...experience(), lesson });
  return { scope, id: body.candidate_id };
}

const approve = ({ page }: ConsoleTab) => page.getByRole('button', { name: 'Approve version 1' });
const confirm = ({ page }: ConsoleTab) => page.getByRole('button', { name: 'Confirm' });

/** A second tab, of another person. */
async function withSecond(browser: Browser, run: (second: ConsoleTab) => Promise<void>): Promise<void> {
  const second = await openTab(browser, on.proxy.url);
  try {
    await run(second);
    expectNoComplaints(second);
  } finally {
    await second.close();
  }
}

/** Fills in what the other person is about to do, and returns the button that does it. */
async function prepareRival(second: ConsoleTab, what: 'approve' | 'reject' | 'revise') {
  const { page } = second;
  if (what === 'approve') await approve(second).click();
  if (what === 'reject') {
    await page.getByRole('button', { name: 'Reject version 1' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Not general.');
  }
  if (what !== 'revise') return confirm(second);
  await page.getByRole('button', { name: 'Revise version 1' }).click();
  await page.getByRole('textbox', { name: 'Lesson' }).fill('A lesson of Grace');
  return page.getByRole('button', { name: 'Save version 2' });
}

const lost = /This Candidate was (approved|rejected) meanwhile\.|Version 2 is newer than version 1\./;

test.each(['approve', 'reject', 'revise'] as const)(
  'spec 60 scenario 10: of two browsers that approve and %s at once, one wins, and the other one sees who and what',
  async (what) => {
    const { scope, id } = await propose('A lesson of two');
    const address = `review?within=scope&scope=${scope}`;
    await withSecond(on.browser, async (second) => {
      await openAs(on.tab, 'ada', address);
      await openAs(second, 'grace', address);
      await approve(on.tab).click();
      const rival = await prepareRival(second, what);
      await Promise.all([confirm(on.tab).click(), rival.click()]);
      const isAdaLate = await Promise.any(
        [on.tab, second].map(async (tab) => {
          await tab.page.getByRole('alert').getByText(lost).first().waitFor();
          return tab === on.tab;
        }),
      );
      const { body } = await reviewCalls(clientOf(on.service.url, 'ada')).get(scope, id);
      const said = (isAdaLate ? on.tab : second).page.getByRole('alert');
      await said
        .getByText(isAdaLate ? 'Grace' : 'Ada')
        .first()
        .waitFor();
      if (isAdaLate && what === 'revise') {
        expect(body).toMatchObject({ status: 'pending', version: 2 });
        await said.getByText('A lesson of Grace').waitFor();
        return;
      }
      expect(body.status).toBe(isAdaLate && what === 'reject' ? 'rejected' : 'approved');
      await (isAdaLate ? second : on.tab).page.getByText('Nothing waits.').waitFor();
    });
  },
);

test('spec 60 scenario 3: what is typed stays under "Sign in", and is sent once with another token', async () => {
  const { scope, id } = await propose('A lesson to revise');
  await openAs(on.tab, 'ada', `review?within=scope&scope=${scope}`);
  await on.tab.page.getByRole('button', { name: 'Revise version 1' }).click();
  await on.tab.page.getByRole('textbox', { name: 'Lesson' }).fill('A revised lesson');
  // The proxy revokes the first token: from now on the service does not know it.
  let sent = 0;
  on.proxy.treat(({ path, token }) => {
    if (token === tokenOf('ada'))
      return {
        status: 401,
        body: { error: { code: 'unauthorized', message: 'Send a valid token.', details: {} } },
      };
    if (path.endsWith('/revise')) sent += 1;
    return 'forward';
  });
  await on.tab.page.getByRole('button', { name: 'Save version 2' }).click();
  await on.tab.page.getByRole('dialog', { name: 'Sign in' }).waitFor();
  expect(await on.tab.page.getByLabel('Lesson').inputValue()).toBe('A revised lesson');
  await signIn(on.tab, 'ada-again');
  await on.tab.page.getByText('Saved as version 2.').waitFor();
  expect(sent).toBe(1);
  const { body } = await reviewCalls(clientOf(on.service.url, 'ada')).get(scope, id);
  expect(body).toMatchObject({ version: 2, proposal: { lesson: 'A revised lesson' } });
});

/** What another tenant has, and what nobody has. */
interface Names {
  scope: string;
  entry: string;
  source: string;
  candidate: string;
}

let known: Names;
const unknown: Names = {
  scope: freshScope(),
  entry: '01a0521c-0000-7000-8000-000000000000',
  source: 'source 7',
  candidate: '01a0521c-0000-7000-8000-000000000001',
};

beforeAll(async () => {
  const { scope, id } = await propose('A lesson behind a wall');
  const { entry } = await remember(clientOf(on.service.url, 'ada'), scope, 'A text behind a wall.');
  known = { scope, entry: entry.citation.entry_id, source: 'source 0', candidate: id };
});

const pages: [string, (names: Names) => string][] = [
  ['Home', ({ scope }) => `?scope=${scope}`],
  [
    'Review',
    ({ scope, candidate }) => `review?within=scope&scope=${scope}&of=${scope}&candidate=${candidate}`,
  ],
  ['Why', ({ scope }) => `why?scope=${scope}#q=text+behind+a+wall`],
  ['Memory', ({ scope }) => `memory?scope=${scope}`],
  ['an entry', ({ scope, entry }) => `memory?scope=${scope}&entry=${entry}`],
  ['an event', ({ scope, entry }) => `memory?scope=${scope}&entry=${entry}&revision=1`],
  ['Sources', ({ scope }) => `sources?scope=${scope}`],
  [
    'a Source',
    ({ scope, source }) => `sources?scope=${scope}&type=content&source=${encodeURIComponent(source)}`,
  ],
];

test('spec 60 scenario 25: each page shows a tenant with names of another one what unknown names show', async () => {
  await openAs(on.tab, 'other', 'review');
  const shown = async (address: (names: Names) => string, names: Names) => {
    await on.tab.open(address(names));
    const text = ((await on.tab.page.locator('main').textContent()) ?? '')
      .replaceAll(/\b[0-9a-f]{32}\b/g, '')
      .replaceAll(/\d+ sec\. ago|now/g, '');
    return Object.values(names).reduce((rest, name) => rest.replaceAll(name, ''), text);
  };
  for (const [name, address] of pages)
    expect([name, await shown(address, known)]).toEqual([name, await shown(address, unknown)]);
});

test('spec 60 scenario 15: an entry of another tenant is unknown to "Why not?" and to Search or jump', async () => {
  await openAs(on.tab, 'other', `why?scope=${known.scope}#q=text+behind+a+wall`);
  await on.tab.page.getByRole('textbox', { name: 'Why not?' }).fill(known.entry);
  await on.tab.page.getByRole('button', { name: 'This entry' }).click();
  // This tenant has no such Scope, so that its Scope is read for nothing.
  await on.tab.page
    .getByText(/Its Scope is not read for this Scope\.|This Scope has no such entry/)
    .waitFor();
  await on.tab.page.keyboard.press('Control+k');
  const jump = on.tab.page.getByRole('dialog', { name: 'Search or jump' });
  await jump.getByLabel('Page, Scope or pasted id').fill(known.candidate);
  await jump.getByRole('link', { name: /^Candidate:/ }).click();
  await on.tab.page.getByText('Not found in this tenant').first().waitFor();
});
