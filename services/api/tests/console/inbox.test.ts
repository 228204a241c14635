import { beforeAll, expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope } from '../support/memory.ts';
import { reviewCalls } from '../support/review.ts';
import { capture } from '../support/sources.ts';
import { countNodes, setUpConsole } from './support/console.ts';

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
  expect(await titles()).toEqual(expected(0, 50));
  await button('Next page').click();
  await on.tab.page.getByText('51–100 of').waitFor();
  expect(await titles()).toEqual(expected(50, 100));
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
  expect(await countNodes(on.tab)).toBeLessThanOrEqual(3_000);
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
