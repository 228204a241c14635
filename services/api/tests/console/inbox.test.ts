import { beforeAll, expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { capture } from '../support/sources.ts';
import { expectAccessible, expectNoSidewaysScroll, setUpConsole } from './support/console.ts';

/** Globals that the functions in the browser use. */
declare const document: { querySelectorAll(selector: string): { length: number } };

const on = setUpConsole();
let calls: ReturnType<typeof reviewCalls>;

beforeAll(() => {
  calls = reviewCalls(on.service);
});

const source = { name: 'content', source_id: 'note' };

async function propose(scope: string, lesson: string): Promise<string> {
  return (await calls.propose(scope, { source_refs: [source] }, { ...experience(), lesson })).body
    .candidate_id;
}

const list = () => on.tab.page.getByRole('list', { name: 'Candidates' });
const titles = () => list().getByRole('link').locator('strong:first-child').allTextContents();
const button = (name: string | RegExp) => on.tab.page.getByRole('button', { name });

test('spec 60 scenario 6: 120 Candidates of 3 Scopes, arrivals, and decisions elsewhere', async () => {
  const scopes = [freshScope(), freshScope(), freshScope()];
  for (const scope of scopes) await capture(on.service, scope, 'note');
  const ids: string[] = [];
  for (let index = 0; index < 120; index += 1)
    ids.push(await propose(scopes[index % 3] ?? '', `Lesson ${index}`));
  const expected = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `Lesson ${from + at}`);
  await on.tab.open('review');
  expect(await titles()).toEqual(expected(0, 50));
  await on.tab.page.getByText('1–50 of 120').waitFor();
  await on.tab.page.getByRole('link', { name: /^Lesson 7 / }).click();
  await on.tab.page.getByRole('heading', { level: 2, name: 'Lesson 7' }).waitFor();
  const link = on.tab.page.url();
  // 20 arrive and 5 are decided elsewhere: no row moves.
  for (let index = 120; index < 140; index += 1)
    ids.push(await propose(scopes[index % 3] ?? '', `Lesson ${index}`));
  for (let index = 10; index < 15; index += 1) await calls.approve(scopes[index % 3] ?? '', ids[index] ?? '');
  await on.tab.page.reload();
  await on.tab.settle();
  expect(await titles()).toEqual([...expected(0, 10), ...expected(15, 55)]);
  await button('Next page').click();
  await on.tab.page.getByText('51–100 of 135').waitFor();
  expect(await titles()).toEqual(expected(55, 105));
  await button('Next page').click();
  await on.tab.page.getByText('101–135 of 135').waitFor();
  expect(await titles()).toEqual(expected(105, 140));
  await button('Previous page').click();
  await on.tab.page.getByText('51–100 of 135').waitFor();
  await on.tab.page.getByLabel('Order').selectOption('newest');
  await on.tab.page.getByText('1–50 of 135').waitFor();
  expect((await titles())[0]).toBe('Lesson 139');
  await on.tab.page.goBack();
  await on.tab.page.getByText('51–100 of 135').waitFor();
  await on.tab.page.goto(link);
  await on.tab.page.getByRole('heading', { level: 2, name: 'Lesson 7' }).waitFor();
  await on.tab.page.getByLabel('Scopes').selectOption('scope');
  await on.tab.page.getByRole('combobox', { name: 'Scope', exact: true }).fill(scopes[1] ?? '');
  await on.tab.page.keyboard.press('Enter');
  await on.tab.page.getByText(/1–\d+ of 4\d/).waitFor();
  expect(await titles()).toContain('Lesson 1');
  expect(await titles()).not.toContain('Lesson 0');
  expect(await on.tab.page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThanOrEqual(3_000);
});

test('spec 60 §7.3.1: arrivals wait for the button that loads them', async () => {
  const scope = freshScope();
  await capture(on.service, scope, 'note');
  await propose(scope, 'The first');
  await on.tab.page.clock.install();
  await on.tab.open(`review?within=scope&scope=${scope}`);
  await expect.poll(() => on.tab.calls.filter((call) => call.endsWith('/inbox')).length).toBeGreaterThan(2);
  await propose(scope, 'The second');
  await propose(scope, 'The third');
  await on.tab.page.clock.fastForward(31_000);
  await button('2 new').waitFor();
  expect(await titles()).toEqual(['The first']);
  await button('2 new').click();
  await list()
    .getByRole('link', { name: /^The third/ })
    .waitFor();
  expect(await titles()).toEqual(['The first', 'The second', 'The third']);
  await button(/new$/).waitFor({ state: 'detached' });
});

/** What each text field of the hostile tenant has (spec 60 §9). */
const hostile = `<img src=x onerror="alert(1)"> </script><script>alert(2)</script> [a](javascript:alert(3)) ![b](https://evil.example/x.png) \u202Ereversed\u202C \u{E0068}\u{E0069} 漢字 👩‍👩‍👧 END`;

test('spec 60 scenario 5: stored texts are found as text, tags are spelled out, and no layout breaks', async () => {
  const scope = freshScope();
  await on.service.call('capture_content_source', {
    body: { scope_id: scope, source_id: 'note', content: `${hostile} ${'x'.repeat(190_000)}` },
  });
  const proposal = {
    situation: hostile,
    action: hostile,
    outcome: `${hostile}${'w'.repeat(7_000)}`,
    lesson: hostile,
  };
  const { candidate_id } = (await calls.propose(scope, { source_refs: [source], reason: hostile }, proposal))
    .body;
  for (const [width, address] of [
    [1280, ''],
    [360, `&candidate=${candidate_id}`],
  ] as const) {
    await on.tab.page.setViewportSize({ width, height: 800 });
    await on.tab.open(`review?within=scope&scope=${scope}${address}`);
    await on.tab.page.getByRole('tabpanel').getByText('<img src=x onerror="alert(1)">').first().waitFor();
    await on.tab.page
      .getByText(/Tags read:\s*hi/)
      .first()
      .waitFor();
    expect(
      await on.tab.page.locator('main img, main script, main iframe, main a[href^="javascript"]').count(),
    ).toBe(0);
    await expectNoSidewaysScroll(on.tab);
    await expectAccessible(on.tab);
    expect(await on.tab.page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThanOrEqual(
      3_000,
    );
  }
});

test('spec 60 scenario 5: copying gives the stored characters', async () => {
  const scope = freshScope();
  await capture(on.service, scope, 'note');
  const lesson = 'a\u202Eb\u{E0041}c';
  await propose(scope, lesson);
  await on.tab.open(`review?within=scope&scope=${scope}`);
  const copied = await on.tab.page.evaluate(() => {
    const page = globalThis as never as {
      document: { querySelector(selector: string): { dispatchEvent(event: unknown): void } };
      getSelection(): { selectAllChildren(node: unknown): void };
      DataTransfer: new () => { getData(type: string): string };
      ClipboardEvent: new (type: string, init: object) => unknown;
    };
    const fields = page.document.querySelector('.content-field:last-child .text');
    page.getSelection().selectAllChildren(fields);
    const clipboardData = new page.DataTransfer();
    fields.dispatchEvent(new page.ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain');
  });
  expect(copied).toBe(lesson);
});

test('spec 60 §6.2: unknown parameters are named, and Back restores the page', async () => {
  await on.tab.open('review?status=unheard&colour=blue');
  await on.tab.page
    .getByText('The address has parameters that this page does not know: colour, status.')
    .waitFor();
  await on.tab.page.getByLabel('Status').selectOption('approved');
  await on.tab.page.waitForURL(/status=approved/);
  await on.tab.page.goBack();
  expect(await on.tab.page.getByLabel('Status').inputValue()).toBe('pending');
});
