import { expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { expectAccessible, setUpConsole } from './support/console.ts';

const on = setUpConsole();

const region = (name: string) => on.tab.page.getByRole('region', { name, exact: true });

test('spec 60 scenario 22: a gap, a bar below zero, a zero, and the same numbers as a table', async () => {
  const scope = freshScope();
  await captureSources(on.service, scope, 1);
  const { body } = await on.service.call('get_stats', {
    body: { selection: { mode: 'exact', scope_ids: [scope] }, period: '7d', by_scope: false },
  });
  // The proxy answers with numbers that take days to come about.
  const [first, second] = body.recall.daily.slice(-2);
  const [early, late] = body.usage.daily.slice(-2);
  if (first === undefined || second === undefined || early === undefined || late === undefined)
    throw new Error('No days.');
  Object.assign(first, {
    preparations: 4,
    comparable_preparations: 2,
    baseline_tokens: 100,
    recalled_tokens: 340,
    token_reduction: -240,
  });
  early.generation = { requests: 3, input_tokens: null, output_tokens: 12 };
  body.usage.totals.generation = { requests: 3, input_tokens: null, output_tokens: 12 };
  on.proxy.treat(({ path }) => (path === '/v1/stats' ? { status: 200, body } : 'forward'));
  await on.tab.open(`?scope=${scope}&period=7d`);
  const [, reduction] = await region('Recall').getByRole('figure').all();
  if (reduction === undefined) throw new Error('No figure.');
  await expect.poll(() => reduction.locator('rect').count()).toBe(body.recall.daily.length * 3);
  const boxes = await reduction.locator('rect.series-2').all();
  const zero = Number(await reduction.locator('line').getAttribute('y1'));
  const below = boxes.at(-2);
  expect(Number(await below?.getAttribute('y'))).toBeCloseTo(zero, 3);
  expect(Number(await below?.getAttribute('height'))).toBeGreaterThan(0);
  expect(Number(await boxes.at(-1)?.getAttribute('height'))).toBe(0);
  await reduction.getByRole('button', { name: 'Show as table' }).click();
  expect(
    await reduction.getByRole('row').filter({ hasText: first.date }).getByRole('cell').allTextContents(),
  ).toEqual(['100', '340', '-240']);
  for (const day of body.recall.daily)
    expect(
      await reduction.getByRole('row').filter({ hasText: day.date }).getByRole('cell').allTextContents(),
    ).toEqual([day.baseline_tokens, day.recalled_tokens, day.token_reduction].map(String));
  const use = region('Model use');
  await use.getByText('3 model calls with not reported tokens.').waitFor();
  expect(await use.locator('rect.series-0').count()).toBe(body.usage.daily.length - 1);
  await use.getByRole('button', { name: 'Show as table' }).click();
  const cells = (date: string) =>
    use.getByRole('row').filter({ hasText: date }).getByRole('cell').first().textContent();
  expect([await cells(early.date), await cells(late.date)]).toEqual(['not reported', '0']);
});

test('spec 60 §7.1: what waits, with links, and an empty Scope leads to First steps', async () => {
  const scope = freshScope();
  await on.tab.open(`?scope=${scope}`);
  await on.tab.page.getByText('This Scope is empty. Begin with the first steps.').waitFor();
  const source_refs = await captureSources(on.service, scope, 1);
  await reviewCalls(on.service).propose(
    scope,
    { source_refs },
    { ...experience(), lesson: 'A lesson that waits' },
  );
  await on.tab.open(`?scope=${scope}`);
  await region('Waiting for review').getByText('1 waits.').waitFor();
  await region('Backlog').getByRole('link', { name: 'Sources that wait for extraction: 1' }).waitFor();
  await expectAccessible(on.tab);
  await region('Waiting for review')
    .getByRole('link', { name: /A lesson that waits/ })
    .click();
  await on.tab.page.getByRole('heading', { level: 2, name: 'A lesson that waits' }).waitFor();
  expect(await on.tab.page.title()).toBe('Review · Continuity');
});

test('spec 60 §7.1: a region whose call fails says so, the others stay, and "Retry" reads it again', async () => {
  const scope = freshScope();
  await captureSources(on.service, scope, 1);
  on.proxy.treat(({ path }) =>
    path.startsWith('/v1/queues')
      ? {
          status: 500,
          body: { error: { code: 'internal_error', message: 'This is an error.', details: {} } },
        }
      : 'forward',
  );
  await on.tab.open(`?scope=${scope}`);
  await region('Backlog').getByText('This is an error.').waitFor();
  await region('Backlog')
    .getByText(/^0{32}$/)
    .waitFor();
  await expect.poll(() => region('Contents').getByRole('row').count()).toBeGreaterThan(1);
  on.proxy.treat(() => 'forward');
  await region('Backlog').getByRole('button', { name: 'Retry' }).click();
  await region('Backlog').getByText('memory-flush').waitFor();
  await region('Backlog').getByText('no worker').first().waitFor();
  // No fault: a deployment may do without it.
  const scan = region('Backlog').getByRole('row').filter({ hasText: 'external-skill-scan' });
  await scan.getByText('Not set up.').waitFor();
  expect(await scan.getByText('no worker').count()).toBe(0);
});

test('spec 60 §6.1: landmarks, Search or jump, Requests, Keys, and the letters after g', async () => {
  await on.tab.open();
  for (const role of ['banner', 'main'] as const) await on.tab.page.getByRole(role).waitFor();
  await on.tab.page.getByRole('navigation', { name: 'Main' }).waitFor();
  await on.tab.page.keyboard.press('g');
  await on.tab.page.keyboard.press('r');
  await on.tab.page.getByRole('heading', { level: 1, name: 'Review' }).waitFor();
  await expect.poll(() => on.tab.page.evaluate('document.activeElement.tagName')).toBe('H1');
  await on.tab.page.keyboard.press('Control+k');
  const jump = on.tab.page.getByRole('dialog', { name: 'Search or jump' });
  await on.tab.page.keyboard.type('01a0521c-0000-7000-8000-000000000000');
  await jump.getByRole('link', { name: /^Candidate:/ }).waitFor();
  await expectAccessible(on.tab);
  await jump.getByLabel('Page, Scope or pasted id').fill('memory');
  await jump.getByRole('link', { name: 'Memory', exact: true }).click();
  await on.tab.page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
  await on.tab.settle();
  await on.tab.page.keyboard.press('?');
  await on.tab.page.getByRole('dialog', { name: 'Keys' }).getByText('Approve').waitFor();
  await expectAccessible(on.tab);
  await on.tab.page.keyboard.press('Escape');
  await on.tab.page.keyboard.press('.');
  const requests = on.tab.page.getByRole('dialog', { name: 'Requests' });
  await requests.getByText('list_memory_entries').first().waitFor();
  await expectAccessible(on.tab);
  await on.tab.page.keyboard.press('Escape');
  await on.tab.page.getByRole('button', { name: 'Account' }).click();
  await on.tab.page.getByText('No authentication').waitFor();
  await expectAccessible(on.tab);
  await on.tab.page.getByLabel('Language').selectOption('zh-CN');
  await on.tab.page.getByRole('heading', { level: 1, name: '记忆' }).waitFor();
  expect(await on.tab.page.getAttribute('html', 'lang')).toBe('zh-CN');
});
