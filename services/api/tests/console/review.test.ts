import type { Browser } from '@continuity/testing/browser';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  type ConsoleTab,
  expectAccessible,
  expectNoComplaints,
  expectNoSidewaysScroll,
  openTab,
  startConsoleBrowser,
} from './support/console.ts';
import { startProxy } from './support/proxy.ts';

let service: TestService;
let browser: Browser;
let tab: ConsoleTab;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let calls: ReturnType<typeof reviewCalls>;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startConsoleBrowser()]);
  proxy = await startProxy(service.url);
  calls = reviewCalls(service);
});
afterAll(async () => {
  await browser?.close();
  await proxy?.stop();
  await service?.stop();
});
beforeEach(async () => {
  proxy.treat(() => 'forward');
  tab = await openTab(browser, proxy.url);
});
afterEach(async () => {
  expectNoComplaints(tab);
  await tab.close();
});

/** Proposes Experiences whose lessons are numbered from 1. Returns their ids. */
async function propose(scope: string, count: number): Promise<string[]> {
  const [source] = await captureSources(service, scope, 1);
  const ids: string[] = [];
  for (let index = 1; index <= count; index += 1) {
    const proposal = { ...experience(), lesson: `Lesson ${index} of ${scope}` };
    const { body } = await calls.propose(
      scope,
      { source_refs: source === undefined ? [] : [source] },
      proposal,
    );
    ids.push(body.candidate_id);
  }
  return ids;
}

const button = (name: string | RegExp) => tab.page.getByRole('button', { name });
const region = (name: string) => tab.page.getByRole('region', { name });
const message = (text: string | RegExp) => tab.page.getByRole('status', { name: 'Messages' }).getByText(text);
const ofScope = (scope: string) => `review?within=scope&scope=${scope}`;
const statusOf = async (scope: string, id: string) => (await calls.get(scope, id)).body.status;

test('spec 60 scenario 7: 30 Candidates are decided by keyboard, each by the version in its button', async () => {
  const scope = freshScope();
  const ids = await propose(scope, 30);
  const sent: unknown[] = [];
  tab.page.on('request', (request) => {
    if (/artifact-candidates\/(approve|reject)$/.test(request.url())) sent.push(request.postDataJSON());
  });
  await tab.open(ofScope(scope));
  const shown: unknown[] = [];
  for (const [index, candidate_id] of ids.entries()) {
    const approve = button(/^Approve version/);
    await approve.and(tab.page.locator(':enabled')).waitFor();
    await region('Candidate')
      .getByRole('heading', { level: 2, name: `Lesson ${index + 1} of` })
      .waitFor();
    const expected_version = Number((await approve.textContent())?.replace(/\D/g, ''));
    if (index % 3 === 2) {
      await tab.page.keyboard.press('r');
      await tab.page.keyboard.type(`It says nothing new ${index}.`);
      await tab.page.keyboard.press('Control+Enter');
      shown.push({
        scope_id: scope,
        candidate_id,
        expected_version,
        reason: `It says nothing new ${index}.`,
      });
    } else {
      await tab.page.keyboard.press('a');
      await tab.page.keyboard.press('Enter');
      shown.push({ scope_id: scope, candidate_id, expected_version });
    }
  }
  await tab.page.getByText('Nothing waits.').waitFor();
  expect(sent).toEqual(shown);
  const statuses = await Promise.all(ids.map((id) => statusOf(scope, id)));
  expect(statuses).toEqual(ids.map((_, index) => (index % 3 === 2 ? 'rejected' : 'approved')));
});

test('spec 60 scenario 8: a held key, a key while the next item loads, and keys in fields decide nothing', async () => {
  const scope = freshScope();
  const ids = await propose(scope, 3);
  await tab.open(ofScope(scope));
  await button('Approve version 1').and(tab.page.locator(':enabled')).waitFor();
  await tab.page.keyboard.down('a');
  for (let repeat = 0; repeat < 5; repeat += 1) await tab.page.keyboard.down('a');
  await tab.page.keyboard.up('a');
  await button('Cancel').click();
  // The next item arrives late: until it is drawn, no key acts.
  proxy.treat(({ path }) => (path.endsWith('/artifact-candidates/get') ? { delayMs: 1_000 } : 'forward'));
  await tab.page.goto(`${proxy.url}/console/${ofScope(scope)}&candidate=${ids[2]}`);
  await tab.page.locator('.list-pane a').first().waitFor();
  await tab.page.keyboard.press('a');
  await tab.page.keyboard.press('Enter');
  proxy.treat(() => 'forward');
  await button('Approve version 1').and(tab.page.locator(':enabled')).waitFor();
  await tab.page.getByRole('combobox', { name: 'Scope', exact: true }).click();
  await tab.page.keyboard.type('a');
  await tab.page.keyboard.press('Escape');
  await tab.page.locator('h1').click();
  await tab.page.evaluate(() => {
    const { document, KeyboardEvent } = globalThis as never as {
      document: { dispatchEvent(event: unknown): void };
      KeyboardEvent: new (type: string, init: object) => unknown;
    };
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', isComposing: true, bubbles: true }));
  });
  expect(await button('Confirm').count()).toBe(0);
  for (const id of ids) expect(await statusOf(scope, id)).toBe('pending');
});

test('spec 60 scenario 8: with letters off, Tab and Enter do all', async () => {
  const scope = freshScope();
  const [id = ''] = await propose(scope, 1);
  await tab.open(ofScope(scope));
  await button('Account').click();
  await tab.page.getByRole('checkbox', { name: 'Single-letter keys' }).uncheck();
  await tab.page.keyboard.press('Escape');
  const approve = button('Approve version 1');
  await approve.and(tab.page.locator(':enabled')).waitFor();
  await tab.page.keyboard.press('a');
  expect(await button('Confirm').count()).toBe(0);
  await approve.focus();
  await tab.page.keyboard.press('Enter');
  await tab.page.keyboard.press('Enter');
  await message(/^Approved: experience\//).waitFor();
  expect(await statusOf(scope, id)).toBe('approved');
});

test('spec 60 scenario 10: a version that somebody revised meanwhile is not approved, and the difference is shown', async () => {
  const scope = freshScope();
  const [id = ''] = await propose(scope, 1);
  await tab.open(ofScope(scope));
  await button('Approve version 1').click();
  const proposal = { ...experience(), lesson: 'Another lesson' };
  await calls.revise(scope, id, 1, { source_refs: [{ name: 'content', source_id: 'source 0' }] }, proposal);
  await button('Confirm').click();
  const decision = region('Decision');
  await decision.getByText('Version 2 is newer than version 1.').waitFor();
  await decision.getByText('Another lesson').waitFor();
  expect(await statusOf(scope, id)).toBe('pending');
  await button('Show version 2').click();
  await button('Approve version 2').click();
  await button('Confirm').click();
  await message(/^Approved: experience\//).waitFor();
  expect((await calls.get(scope, id)).body).toMatchObject({ status: 'approved', version: 2 });
});

test('spec 60 scenario 10: who decided first wins, and the other one sees it', async () => {
  const scope = freshScope();
  const [id = ''] = await propose(scope, 1);
  await tab.open(ofScope(scope));
  await button('Reject version 1').click();
  await tab.page.getByRole('textbox', { name: 'Reason' }).fill('Not true.');
  await calls.approve(scope, id, 1);
  await button('Confirm').click();
  await region('Decision').getByText('This Candidate was approved meanwhile.').waitFor();
  await button('Next Candidate').click();
  await tab.page.getByText('Nothing waits.').waitFor();
  expect(await statusOf(scope, id)).toBe('approved');
});

test('spec 60 scenario 10: after a lost answer the page says what became of the decision', async () => {
  const scope = freshScope();
  const [first = '', second = ''] = await propose(scope, 2);
  await tab.open(ofScope(scope));
  proxy.treat(({ path }) => (path.endsWith('/approve') ? 'cut-after' : 'forward'));
  await button('Approve version 1').click();
  await button('Confirm').click();
  await message('The answer was lost. Version 1 was approved.').waitFor();
  expect(await statusOf(scope, first)).toBe('approved');
  proxy.treat(({ path }) => (path.endsWith('/approve') ? 'cut-before' : 'forward'));
  await region('Candidate').getByRole('heading', { level: 2, name: 'Lesson 2' }).waitFor();
  await button('Approve version 1').click();
  await button('Confirm').click();
  await message('The answer was lost. Nothing was decided.').waitFor();
  expect(await statusOf(scope, second)).toBe('pending');
});

test('spec 60 scenario 11: a target that moved shows both differences, and is proposed anew once', async () => {
  const scope = freshScope();
  const target = await calls.create(scope, 'experience');
  const [source] = await captureSources(service, scope, 1);
  const { body } = await calls.propose(
    scope,
    { source_refs: source === undefined ? [] : [source], artifact_refs: [target], target },
    { ...experience(), lesson: 'A better lesson' },
  );
  await calls.replace(scope, target);
  await tab.open(ofScope(scope));
  const panel = tab.page.getByRole('tabpanel');
  await panel.getByText(`Difference to the head experience/${target.artifact_id}@2`).waitFor();
  await panel.getByText(`Difference to the target experience/${target.artifact_id}@1`).waitFor();
  expect(await button('Approve version 1').isDisabled()).toBe(true);
  await button('Propose anew').click();
  await button(/^Propose anew for/).dblclick();
  await region('Decision').getByText('The old Candidate can be rejected.').waitFor();
  const pending = (await calls.list(scope)).body.candidates;
  expect(pending.map(({ target: of }) => of?.revision)).toEqual([1, 2]);
  await button(/^Reject with/).click();
  await button('Confirm').click();
  await message('Rejected.').waitFor();
  expect(await statusOf(scope, body.candidate_id)).toBe('rejected');
});

test('spec 60 §7.3.11: a revision keeps unsent work over a reload, and a newer version does not replace it', async () => {
  const scope = freshScope();
  const [id = ''] = await propose(scope, 1);
  await tab.open(ofScope(scope));
  await tab.page.keyboard.press('e');
  await tab.page.getByRole('textbox', { name: 'Lesson' }).fill('My lesson');
  await tab.page.reload();
  await tab.settle();
  await button('Revise version 1').click();
  expect(await tab.page.getByRole('textbox', { name: 'Lesson' }).inputValue()).toBe('My lesson');
  const cited = { source_refs: [{ name: 'content', source_id: 'source 0' }] };
  await calls.revise(scope, id, 1, cited, { ...experience(), lesson: 'Their lesson' });
  await button('Save version 2').click();
  await tab.page.getByText('Version 2 is newer than version 1.').waitFor();
  expect(await tab.page.getByRole('textbox', { name: 'Lesson' }).inputValue()).toBe('My lesson');
  await button('Apply to version 2').click();
  await button('Save version 3').click();
  await message('Saved as version 3.').waitFor();
  expect((await calls.get(scope, id)).body).toMatchObject({
    version: 3,
    proposal: { lesson: 'My lesson' },
    ...cited,
  });
});

test.each([
  { language: 'en', theme: 'light', width: 1280 },
  { language: 'zh-CN', theme: 'dark', width: 360 },
  { language: 'en', theme: 'dark', width: 320 },
] as const)(
  'spec 60 §9: in $language, $theme, at $width pixels, Review has no violation',
  async ({ language, theme, width }) => {
    const scope = freshScope();
    await propose(scope, 2);
    const narrow = await openTab(browser, service.url, { language, theme, viewport: { width, height: 740 } });
    try {
      await narrow.open(ofScope(scope));
      await expectAccessible(narrow);
      await narrow.page.locator('.list-pane a').first().click();
      await narrow.settle();
      await expectAccessible(narrow);
      await expectNoSidewaysScroll(narrow);
      await narrow.page.locator('.decision button').first().click();
      await expectAccessible(narrow);
      await narrow.page.getByRole('button', { name: language === 'en' ? 'Cancel' : '取消' }).click();
      await narrow.page.locator('.decision button').last().click();
      await expectAccessible(narrow);
      await expectNoSidewaysScroll(narrow);
      expectNoComplaints(narrow);
    } finally {
      await narrow.close();
    }
  },
);

test('spec 60 §9: four calls lead to the first proposal and its first evidence', async () => {
  const scope = freshScope();
  await propose(scope, 3);
  await tab.page.goto(`${proxy.url}/console/review`);
  await region('Evidence').locator('.text').waitFor();
  const first = tab.calls.findIndex((call) => call.includes('/sources/'));
  expect(first).toBeLessThan(4);
});
