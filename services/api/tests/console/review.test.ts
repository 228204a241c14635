import { beforeAll, expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { setUpConsole } from './support/console.ts';

const on = setUpConsole();
let calls: ReturnType<typeof reviewCalls>;

beforeAll(() => {
  calls = reviewCalls(on.service);
});

/** Proposes Experiences whose lessons are numbered from 1. Returns their ids. */
async function propose(scope: string, count: number): Promise<string[]> {
  const [source] = await captureSources(on.service, scope, 1);
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

const button = (name: string | RegExp) => on.tab.page.getByRole('button', { name });
const region = (name: string) => on.tab.page.getByRole('region', { name });
const message = (text: string | RegExp) =>
  on.tab.page.getByRole('status', { name: 'Messages' }).getByText(text);
const ofScope = (scope: string) => `review?within=scope&scope=${scope}`;
const statusOf = async (scope: string, id: string) => (await calls.get(scope, id)).body.status;

test('spec 60 scenario 7: 30 Candidates are decided by keyboard, each by the version in its button', async () => {
  const scope = freshScope();
  const ids = await propose(scope, 30);
  const sent: unknown[] = [];
  on.tab.page.on('request', (request) => {
    if (/artifact-candidates\/(approve|reject)$/.test(request.url())) sent.push(request.postDataJSON());
  });
  await on.tab.open(ofScope(scope));
  const shown: unknown[] = [];
  for (const [index, candidate_id] of ids.entries()) {
    const approve = button(/^Approve version/);
    await approve.and(on.tab.page.locator(':enabled')).waitFor();
    await region('Candidate')
      .getByRole('heading', { level: 2, name: `Lesson ${index + 1} of` })
      .waitFor();
    const expected_version = Number((await approve.textContent())?.replace(/\D/g, ''));
    if (index % 3 === 2) {
      await on.tab.page.keyboard.press('r');
      await on.tab.page.keyboard.type(`It says nothing new ${index}.`);
      await on.tab.page.keyboard.press('Control+Enter');
      shown.push({
        scope_id: scope,
        candidate_id,
        expected_version,
        reason: `It says nothing new ${index}.`,
      });
    } else {
      await on.tab.page.keyboard.press('a');
      await on.tab.page.keyboard.press('Enter');
      shown.push({ scope_id: scope, candidate_id, expected_version });
    }
  }
  await on.tab.page.getByText('Nothing waits.').waitFor();
  expect(sent).toEqual(shown);
  const statuses = await Promise.all(ids.map((id) => statusOf(scope, id)));
  expect(statuses).toEqual(ids.map((_, index) => (index % 3 === 2 ? 'rejected' : 'approved')));
});

test('spec 60 scenario 8: a held key, a key while the next item loads, and keys in fields decide nothing', async () => {
  const scope = freshScope();
  const ids = await propose(scope, 3);
  await on.tab.open(ofScope(scope));
  await button('Approve version 1').and(on.tab.page.locator(':enabled')).waitFor();
  await on.tab.page.keyboard.down('a');
  for (let repeat = 0; repeat < 5; repeat += 1) await on.tab.page.keyboard.down('a');
  await on.tab.page.keyboard.up('a');
  await button('Cancel').click();
  // The next item arrives late: until it is drawn, no key acts.
  on.proxy.treat(({ path }) => (path.endsWith('/artifact-candidates/get') ? { delayMs: 2_000 } : 'forward'));
  await on.tab.page.goto(`${on.proxy.url}/console/${ofScope(scope)}&candidate=${ids[2]}`);
  await on.tab.page.locator('.list-pane a').first().waitFor();
  await on.tab.page.keyboard.press('a');
  await on.tab.page.keyboard.press('Enter');
  on.proxy.treat(() => 'forward');
  await button('Approve version 1').and(on.tab.page.locator(':enabled')).waitFor();
  await on.tab.page.getByRole('combobox', { name: 'Scope', exact: true }).click();
  await on.tab.page.keyboard.type('a');
  await on.tab.page.keyboard.press('Escape');
  await on.tab.page.locator('h1').click();
  await on.tab.page.evaluate(() => {
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
  await on.tab.open(ofScope(scope));
  await button('Account').click();
  await on.tab.page.getByRole('checkbox', { name: 'Single-letter keys' }).uncheck();
  await on.tab.page.keyboard.press('Escape');
  const approve = button('Approve version 1');
  await approve.and(on.tab.page.locator(':enabled')).waitFor();
  await on.tab.page.keyboard.press('a');
  expect(await button('Confirm').count()).toBe(0);
  await approve.focus();
  await on.tab.page.keyboard.press('Enter');
  await on.tab.page.keyboard.press('Enter');
  await message(/^Approved: experience\//).waitFor();
  expect(await statusOf(scope, id)).toBe('approved');
});

test('spec 60 scenario 10: a version that somebody revised meanwhile is not approved, and the difference is shown', async () => {
  const scope = freshScope();
  const [id = ''] = await propose(scope, 1);
  await on.tab.open(ofScope(scope));
  await button('Approve version 1').click();
  const proposal = { ...experience(), lesson: 'Another lesson' };
  await calls.revise(scope, id, 1, { source_refs: [{ name: 'content', source_id: 'source 0' }] }, proposal);
  await button('Confirm').click();
  const decision = region('Decision');
  await decision.getByText('Version 2 is newer than version 1.').waitFor();
  await decision.getByText('Another lesson').waitFor();
  expect(await statusOf(scope, id)).toBe('pending');
  // Nothing can be done with version 1, and the way on has the focus.
  expect(await button(/ version 1$/).count()).toBe(0);
  await on.tab.page.keyboard.press('Enter');
  await button('Approve version 2').click();
  await button('Confirm').click();
  await message(/^Approved: experience\//).waitFor();
  expect((await calls.get(scope, id)).body).toMatchObject({ status: 'approved', version: 2 });
});

test('spec 60 scenario 10: who decided first wins, and the other one sees it', async () => {
  const scope = freshScope();
  const [id = '', second = ''] = await propose(scope, 2);
  await on.tab.open(ofScope(scope));
  await on.tab.page.getByText('1–2 of 2').waitFor();
  const lose = async (lost: string) => {
    await button('Reject version 1').click();
    await on.tab.page.getByRole('textbox', { name: 'Reason' }).fill('Not true.');
    await calls.approve(scope, lost, 1);
    await button('Confirm').click();
    await region('Decision').getByText('This Candidate was approved meanwhile.').waitFor();
  };
  await lose(id);
  // Whoever moves on by a key, too, leaves it behind.
  await on.tab.page.keyboard.press('j');
  await region('Candidate').getByRole('heading', { level: 2, name: 'Lesson 2' }).waitFor();
  await on.tab.page.getByText('1–1 of 1').waitFor();
  await lose(second);
  await button('Next Candidate').click();
  await on.tab.page.getByText('Nothing waits.').waitFor();
  expect(await statusOf(scope, id)).toBe('approved');
});

test('spec 60 scenario 10: after a lost answer the page says what became of the decision', async () => {
  const scope = freshScope();
  const [first = '', second = ''] = await propose(scope, 2);
  await on.tab.open(ofScope(scope));
  on.proxy.treat(({ path }) => (path.endsWith('/approve') ? 'cut-after' : 'forward'));
  await button('Approve version 1').click();
  await button('Confirm').click();
  await message('The answer was lost. Version 1 was approved.').waitFor();
  expect(await statusOf(scope, first)).toBe('approved');
  on.proxy.treat(({ path }) => (path.endsWith('/approve') ? 'cut-before' : 'forward'));
  await region('Candidate').getByRole('heading', { level: 2, name: 'Lesson 2' }).waitFor();
  await button('Approve version 1').click();
  await button('Confirm').click();
  await message('The answer was lost. Nothing was decided.').waitFor();
  expect(await statusOf(scope, second)).toBe('pending');
});

test('spec 60 scenario 10: a lost answer that nothing explains is said after a minute, and moves nobody who went on', async () => {
  const scope = freshScope();
  const [first = ''] = await propose(scope, 3);
  await on.tab.page.clock.install();
  await on.tab.open(ofScope(scope));
  const isRead = (path: string) => path.endsWith('/artifact-candidates/get');
  const unavailable = {
    status: 503,
    body: { error: { code: 'unavailable', message: 'Not ready.', details: {}, request_id: '0'.repeat(32) } },
  };
  let reads = 0;
  on.proxy.treat(({ path }) => {
    if (path.endsWith('/approve')) return 'cut-before';
    if (!isRead(path)) return 'forward';
    reads += 1;
    return unavailable;
  });
  await button('Approve version 1').click();
  await button('Confirm').click();
  await expect.poll(() => reads).toBeGreaterThan(0);
  await on.tab.page.clock.fastForward(61_000);
  const unknown = on.tab.page.getByRole('alert').getByText('does not say what became of version 1');
  await unknown.waitFor();
  on.proxy.treat(() => 'forward');
  // The version is the lock: the same decision can be sent again.
  await button('Confirm').and(on.tab.page.locator(':enabled')).click();
  const approved = message(/^Approved: experience\//);
  await approved.waitFor();
  const of = await approved.textContent();
  expect(await statusOf(scope, first)).toBe('approved');
  // The next decision is answered late, and the third Candidate is opened meanwhile.
  await region('Candidate').getByRole('heading', { level: 2, name: 'Lesson 2' }).waitFor();
  on.proxy.treat(({ path }) => (path.endsWith('/approve') ? { delayMs: 1_000 } : 'forward'));
  await button('Approve version 1').click();
  await button('Confirm').click();
  await on.tab.page.getByRole('link', { name: /^Lesson 3 of/ }).click();
  const third = region('Candidate').getByRole('heading', { level: 2, name: 'Lesson 3' });
  await third.waitFor();
  const address = on.tab.page.url();
  await expect.poll(() => approved.textContent()).not.toBe(of);
  await third.waitFor();
  expect(on.tab.page.url()).toBe(address);
});

test('spec 60 scenario 11: a target that moved shows both differences, and is proposed anew once', async () => {
  const scope = freshScope();
  const target = await calls.create(scope, 'experience');
  const [source] = await captureSources(on.service, scope, 1);
  const { body } = await calls.propose(
    scope,
    { source_refs: source === undefined ? [] : [source], artifact_refs: [target], target },
    { ...experience(), lesson: 'A better lesson' },
  );
  await calls.replace(scope, target);
  await on.tab.open(ofScope(scope));
  const panel = on.tab.page.getByRole('tabpanel');
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
  await on.tab.open(ofScope(scope));
  await on.tab.page.keyboard.press('e');
  await on.tab.page.getByRole('textbox', { name: 'Lesson' }).fill('My lesson');
  await on.tab.page.reload();
  await on.tab.settle();
  await button('Revise version 1').click();
  expect(await on.tab.page.getByRole('textbox', { name: 'Lesson' }).inputValue()).toBe('My lesson');
  const cited = { source_refs: [{ name: 'content', source_id: 'source 0' }] };
  await calls.revise(scope, id, 1, cited, { ...experience(), lesson: 'Their lesson' });
  await button('Save version 2').click();
  await on.tab.page.getByText('Version 2 is newer than version 1.').waitFor();
  expect(await on.tab.page.getByRole('textbox', { name: 'Lesson' }).inputValue()).toBe('My lesson');
  await button('Apply to version 2').click();
  await button('Save version 3').click();
  await message('Saved as version 3.').waitFor();
  expect((await calls.get(scope, id)).body).toMatchObject({
    version: 3,
    proposal: { lesson: 'My lesson' },
    ...cited,
  });
});

test('spec 60 §7.3.11: evidence is ordered, removed, and added by id, a revision too', async () => {
  const scope = freshScope();
  const [id = ''] = await propose(scope, 1);
  await captureSources(on.service, scope, 3);
  const lesson = await calls.create(scope, 'experience');
  await on.tab.open(ofScope(scope));
  await button('Revise version 1').click();
  const field = on.tab.page.getByRole('textbox', { name: /^Add a Source by its id/ });
  const add = async (text: string) => {
    await field.fill(text);
    await button('Add').and(on.tab.page.locator(':enabled')).click();
  };
  await field.fill('no such source');
  await on.tab.page.getByText('Not found in this tenant').waitFor();
  await add('source 1');
  await add('source 2');
  await add(`experience/${lesson.artifact_id}@1`);
  await button('Move up source 2').click();
  await button('Remove source 0').click();
  await button('Save version 2').click();
  await message('Saved as version 2.').waitFor();
  expect((await calls.get(scope, id)).body).toMatchObject({
    version: 2,
    source_refs: [
      { name: 'content', source_id: 'source 2' },
      { name: 'content', source_id: 'source 1' },
    ],
    artifact_refs: [lesson],
  });
});

test('spec 60 §9: four calls lead to the first proposal and its first evidence', async () => {
  const scope = freshScope();
  await propose(scope, 3);
  await on.tab.page.goto(`${on.proxy.url}/console/review`);
  await region('Evidence').locator('.text').waitFor();
  const first = on.tab.calls.findIndex((call) => call.includes('/sources/'));
  expect(first).toBeLessThan(4);
});
