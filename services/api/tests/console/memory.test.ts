import { expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { expectAccessible, setUpConsole } from './support/console.ts';

const on = setUpConsole(() => ({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } }));

async function remember(scope_id: string, text: string, kind = 'decision') {
  const { entry } = (await on.service.call('remember_memory', { body: { scope_id, kind, text } })).body;
  if (entry === null) throw new Error('Nothing was remembered.');
  return entry;
}

type Entry = Awaited<ReturnType<typeof remember>>;

async function revise(scope_id: string, { citation, kind }: Entry, text: string): Promise<Entry> {
  const { entry } = (
    await on.service.call('revise_memory_entry', { body: { scope_id, citation, kind, text } })
  ).body;
  if (entry === null) throw new Error('Nothing was revised.');
  return entry;
}

const button = (name: string | RegExp) => on.tab.page.getByRole('button', { name });
const region = (name: string) => on.tab.page.getByRole('region', { name, exact: true });
const message = (text: string | RegExp) =>
  on.tab.page.getByRole('status', { name: 'Messages' }).getByText(text);
const table = (name: string) => on.tab.page.getByRole('table', { name });

test('spec 60 scenario 19: a revise against a newer version keeps the text, and makes one event', async () => {
  const scope = freshScope();
  const entry = await remember(scope, 'Deployments happen on Tuesdays.');
  await on.tab.open(`memory?scope=${scope}&entry=${entry.citation.entry_id}`);
  await button('Revise version 1').click();
  await on.tab.page.getByRole('textbox', { name: 'Text' }).fill('Deployments happen on Fridays.');
  await revise(scope, entry, 'Deployments happen on Mondays.');
  await button('Save version 2').click();
  await on.tab.page.getByText('Somebody changed this entry meanwhile.').waitFor();
  await on.tab.page.getByRole('alert').getByText('Deployments happen on Mondays.').waitFor();
  expect(await on.tab.page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(
    'Deployments happen on Fridays.',
  );
  await expectAccessible(on.tab);
  await button('Apply to version 2').click();
  await button('Save version 3').click();
  await message('Saved as version 3.').waitFor();
  const { events } = (
    await on.service.call('list_memory_entry_history', {
      body: { scope_id: scope, entry_id: entry.citation.entry_id },
    })
  ).body;
  expect(events.map(({ entry: { text } }) => text)).toEqual([
    'Deployments happen on Fridays.',
    'Deployments happen on Mondays.',
    'Deployments happen on Tuesdays.',
  ]);
});

test('spec 26 R7: an entry shows until when it was true, and leads to what took its place', async () => {
  const scope = freshScope();
  const old = await remember(scope, 'Anna works at Acme.');
  const body = {
    scope_id: scope,
    kind: 'decision',
    text: 'Anna works at Globex.',
    supersedes: [old.citation],
  };
  await on.service.call('remember_memory', { body });
  await on.tab.open(`memory?scope=${scope}&entry=${old.citation.entry_id}`);
  await region('Entry').getByText('Was true until').waitFor();
  await table('Entries').getByRole('row').filter({ hasText: 'Acme' }).getByText('ended').waitFor();
  await expectAccessible(on.tab);
  await region('Entry').getByRole('link', { name: 'Superseded by this entry' }).click();
  await region('Entry').getByText('Anna works at Globex.').first().waitFor();
  await region('Entry').getByText('True since').waitFor();
});

test('spec 60 §7.5.3: an entry that did not change is retired, although others were remembered meanwhile', async () => {
  const scope = freshScope();
  const entry = await remember(scope, 'Staging is reset on Sundays.');
  await on.tab.open(`memory?scope=${scope}`);
  await table('Entries').getByRole('link', { name: 'Staging is reset on Sundays.' }).click();
  await button('Retire version 1').waitFor();
  await remember(scope, 'Another entry moves the head.');
  await on.tab.page.keyboard.press('x');
  await on.tab.page.keyboard.type('It is automatic now.');
  await on.tab.page.keyboard.press('Control+Enter');
  await message('Retired.').waitFor();
  const { body } = await on.service.call('get_memory_entry', {
    body: { scope_id: scope, entry_id: entry.citation.entry_id },
  });
  expect(body.state).toBe('inactive');
  await region('Entry').getByRole('list', { name: 'Timeline' }).getByText('It is automatic now.').waitFor();
});

test('spec 60 scenario 18: a long timeline has pages, right differences, and exact links', async () => {
  const scope = freshScope();
  let entry = await remember(scope, 'The limit is 1.');
  const { entry_id } = entry.citation;
  for (let version = 2; version <= 45; version += 1)
    entry = await revise(scope, entry, `The limit is ${version}.`);
  await on.tab.open(`memory?scope=${scope}&entry=${entry_id}`);
  const timeline = region('Entry').getByRole('list', { name: 'Timeline' });
  expect(await timeline.getByRole('link').count()).toBe(20);
  await timeline.getByText('Difference to version 44').click();
  const changed = timeline.locator('.lines li');
  await changed.first().waitFor();
  expect(await changed.allTextContents()).toEqual(['removedThe limit is 44.', 'addedThe limit is 45.']);
  await region('Entry').getByRole('button', { name: 'Next page' }).click();
  await timeline.getByText('version 25').waitFor();
  await region('Entry').getByRole('button', { name: 'Next page' }).click();
  await timeline.getByRole('link', { name: /version 3 / }).click();
  await region('Entry').getByText('The limit is 3.').first().waitFor();
  const link = on.tab.page.url();
  for (let version = 46; version <= 95; version += 1)
    entry = await revise(scope, entry, `The limit is ${version}.`);
  await on.tab.page.goto(link);
  await region('Entry').getByText('This is the entry after an older event.').waitFor();
  await region('Entry').locator('.stored .text').first().getByText('The limit is 3.').waitFor();
});

test('spec 60 §7.5.1: kinds, search and order, and Back returns to the row', async () => {
  const scope = freshScope();
  await remember(scope, 'Use Postgres 18 everywhere.');
  await remember(scope, 'Logs never have tokens.', 'constraint');
  await on.tab.open(`memory?scope=${scope}`);
  const rows = () => table('Entries').getByRole('link').allTextContents();
  expect(await rows()).toEqual(['Logs never have tokens.', 'Use Postgres 18 everywhere.']);
  await on.tab.page.getByLabel('Kind').selectOption('constraint');
  await expect.poll(rows).toEqual(['Logs never have tokens.']);
  await on.tab.page.getByLabel('Kind').selectOption('');
  await on.tab.page.keyboard.press('Escape');
  await on.tab.page.getByRole('searchbox', { name: 'Search Memory' }).fill('postgres');
  await expect.poll(rows).toEqual(['Use Postgres 18 everywhere.']);
  await table('Entries')
    .getByText(/^score/)
    .waitFor();
  await table('Entries').getByRole('link').click();
  await region('Entry').getByText('Use Postgres 18 everywhere.').waitFor();
  await on.tab.page.goBack();
  await region('Entry').waitFor({ state: 'detached' });
  expect(await on.tab.page.getByRole('searchbox', { name: 'Search Memory' }).inputValue()).toBe('postgres');
  expect(on.tab.page.url()).toContain('#q=postgres');
  await button('Remember').click();
  await on.tab.page.getByRole('textbox', { name: 'Text' }).fill('Backups run at night.');
  await button('Confirm').click();
  await message('Remembered.').waitFor();
  await on.tab.page.getByRole('searchbox', { name: 'Search Memory' }).fill('');
  await expect.poll(rows).toContain('Backups run at night.');
});

test('spec 60 scenario 20: what two flushes extracted of three Sources, then and now', async () => {
  const scope = freshScope();
  const source = (source_id: string, content: string) =>
    on.service.call('capture_content_source', {
      body: { scope_id: scope, source_id, content, metadata: { branch: 'main' } },
    });
  const shared = 'We decided to use Postgres 18 for every service.';
  await source('standup-1', `${shared} We decided to never log tokens in production.`);
  await on.service.call('flush_memory', { body: { scope_id: scope } });
  await source('standup-2', shared);
  await source('standup-3', 'We decided to deploy on Tuesdays only.');
  await on.tab.open(`sources?scope=${scope}`);
  await table('Sources').getByText('Extracted up to here: position 1').waitFor();
  await table('Sources')
    .getByRole('link', { name: /deploy on Tuesdays/ })
    .click();
  await region('Source').getByText('This Source waits for extraction.').waitFor();
  await button('Flush').click();
  await message('Extraction is complete.').waitFor();
  for (const source_id of ['standup-1', 'standup-2', 'standup-3']) {
    const { body } = await on.service.call('trace_source', {
      body: { scope_id: scope, source: { name: 'content', source_id } },
    });
    await on.tab.open(`sources?scope=${scope}&type=content&source=${source_id}`);
    const entries = region('Source').getByRole('list', { name: 'Extracted entries' });
    expect(await entries.locator('> li').count()).toBe(body.entries.length);
    for (const { now } of body.entries) await entries.getByText(now.text).first().waitFor();
    await region('Source').getByText('Metadata').click();
    await region('Source').getByText('"branch": "main"').waitFor();
  }
  // What a person wrote by hand leaves a Source that extraction does not read.
  await on.service.call('create_artifact', {
    params: { scope_id: scope },
    body: { family: 'memory', content: { entries: [{ kind: 'fact', text: 'Written by hand.' }] } },
  });
  await on.tab.open(`sources?scope=${scope}&state=not_eligible`);
  await table('Sources').getByText('record of a written Artifact').waitFor();
  await table('Sources').getByRole('link').click();
  await region('Source').getByText('This Source is not eligible: extraction does not read it.').waitFor();
  await on.tab.open(`sources?scope=${scope}&type=content&source=standup-3`);
  await region('Source').locator('mark').first().waitFor();
  await button(/^Retire version/)
    .first()
    .click();
  await button('Confirm').click();
  await message('Retired.').waitFor();
  await region('Source').getByText('retired').first().waitFor();
  await expectAccessible(on.tab);
});
