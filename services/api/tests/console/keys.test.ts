import { expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope, remember } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import { setUpConsole } from './support/console.ts';

const on = setUpConsole();

const button = (name: string | RegExp) => on.tab.page.getByRole('button', { name, exact: true });

/** The keys that controls on screen name. */
const named = (): Promise<string[]> =>
  on.tab.page.evaluate(
    `[...document.querySelectorAll('[aria-keyshortcuts]')].map((one) => one.getAttribute('aria-keyshortcuts'))`,
  );

async function fill() {
  const scope = freshScope();
  const source_refs = await captureSources(on.service, scope, 1);
  const review = reviewCalls(on.service);
  for (const lesson of ['First', 'Second', 'Third'])
    await review.propose(scope, { source_refs }, { ...experience(), lesson });
  const skills = skillCalls(on.service);
  const target = await skills.approved(scope, archiveOf(skillFile('deploy', 'Before.')));
  const { body } = await skills.upload(scope, archiveOf(skillFile('deploy', 'After.')), { target });
  const { entry } = await remember(on.service, scope, 'The nightly export runs at two.');
  return { scope, skill: body.candidate_id, entry: entry.citation.entry_id };
}

test('spec 60 §6.4: each key of the dialog has a control on some page that does the same', async () => {
  const { scope, skill, entry } = await fill();
  await on.tab.open(`review?within=scope&scope=${scope}`);
  await on.tab.page.keyboard.press('?');
  const dialog = on.tab.page.getByRole('dialog', { name: 'Keys' });
  const rows = await dialog.getByRole('row').all();
  const keys: string[] = [];
  for (const row of rows.slice(1)) keys.push((await row.locator('kbd').allTextContents()).join(' '));
  expect(keys.length).toBeGreaterThan(20);
  const found = new Set(await named());
  await on.tab.page.keyboard.press('Escape');
  // The second row is chosen, so that rows lie before and behind it.
  await on.tab.page.keyboard.press('j');
  await button('Approve version 1').and(on.tab.page.locator(':enabled')).waitFor();
  for (const one of await named()) found.add(one);
  await button('Reject version 1').click();
  for (const one of await named()) found.add(one);
  await on.tab.open(`review?within=scope&scope=${scope}&of=${scope}&candidate=${skill}`);
  await on.tab.page.locator('.lines').waitFor();
  for (const one of await named()) found.add(one);
  await on.tab.open(`memory?scope=${scope}&entry=${entry}`);
  for (const one of await named()) found.add(one);
  expect(keys.filter((key) => !found.has(key))).toEqual([]);
});

test('spec 60 §6.4: letters do what their controls do', async () => {
  const { scope, skill, entry } = await fill();
  await on.tab.open(`review?within=scope&scope=${scope}`);
  const press = (key: string) => on.tab.page.keyboard.press(key);
  const heading = (name: string) => on.tab.page.getByRole('heading', { level: 2, name });
  await heading('First').waitFor();
  await press('j');
  await heading('Second').waitFor();
  await press('k');
  await heading('First').waitFor();
  await press('Enter');
  expect(await heading('First').evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
    true,
  );
  await press('Escape');
  expect(await on.tab.page.locator(':focus').getAttribute('aria-current')).toBe('true');
  await press('/');
  expect(
    await on.tab.page.getByLabel('Status').evaluate((one) => one === one.ownerDocument.activeElement),
  ).toBe(true);
  await on.tab.open(`review?within=scope&scope=${scope}&of=${scope}&candidate=${skill}`);
  await on.tab.page.locator('.lines').waitFor();
  await press('n');
  await on.tab.page.locator('.lines .chosen').waitFor();
  await press('4');
  await on.tab.page
    .getByRole('tab', { name: 'Versions (1)' })
    .and(on.tab.page.locator('[aria-selected="true"]'))
    .waitFor();
  await on.tab.open(`memory?scope=${scope}&entry=${entry}`);
  await press('e');
  await button('Save version 2').waitFor();
  await press('Control+k');
  await press('Escape');
  await on.tab.page
    .locator('form[aria-label="Revise version 1"]')
    .getByRole('button', { name: 'Cancel' })
    .click();
  await press('x');
  await on.tab.page.getByText('Retire version 1?').waitFor();
});

test('spec 60 §6.1.2: Search or jump opens Candidates of any Scope, and shows jobs and revisions', async () => {
  const { scope, skill } = await fill();
  const experienceRef = await reviewCalls(on.service).create(scope, 'experience');
  const { json } = await on.service.send(
    'POST',
    '/v1/memory/flush',
    { scope_id: scope },
    { prefer: 'respond-async' },
  );
  const { error, job_id } = json as { error?: { code: string }; job_id?: string };
  await on.tab.open(`?scope=${scope}`);
  await on.tab.page.keyboard.press('Control+k');
  const dialog = on.tab.page.getByRole('dialog', { name: 'Search or jump' });
  const field = dialog.getByLabel('Page, Scope or pasted id');
  if (job_id !== undefined) {
    await field.fill(job_id);
    await dialog.getByRole('region', { name: 'Job' }).getByText('flush_memory').waitFor();
  } else expect(error?.code).toBe('worker_unavailable');
  await field.fill(`experience/${experienceRef.artifact_id}@1`);
  await dialog.getByRole('region', { name: 'Experience' }).getByText(experience().lesson).waitFor();
  await field.fill(skill);
  await expect
    .poll(() => dialog.getByRole('link', { name: /^Candidate:/ }).getAttribute('href'))
    .toContain(`of=${encodeURIComponent(scope)}`);
  await dialog.getByRole('link', { name: /^Candidate:/ }).click();
  await on.tab.page.getByRole('heading', { level: 2, name: 'deploy' }).waitFor();
});
