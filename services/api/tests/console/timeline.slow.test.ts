import { expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import { setUpConsole } from './support/console.ts';

const on = setUpConsole();

const pageEvents = 20;
const events = 300;
const laterEvents = 50;
const textOf = (version: number) => `The limit is ${version}.`;

test('spec 60 scenario 18: of 300 events each page, difference and link is right, also after 50 more', async () => {
  const scope_id = freshScope();
  const { body } = await on.service.call('remember_memory', {
    body: { scope_id, kind: 'fact', text: textOf(1) },
  });
  if (body.entry === null) throw new Error('Nothing was remembered.');
  let { citation } = body.entry;
  const reviseUpTo = async (last: number, from: number) => {
    for (let version = from; version <= last; version += 1) {
      const { entry } = (
        await on.service.call('revise_memory_entry', {
          body: { scope_id, citation, kind: 'fact', text: textOf(version) },
        })
      ).body;
      if (entry === null) throw new Error('Nothing was revised.');
      citation = entry.citation;
    }
  };
  await reviseUpTo(events, 2);
  const { page } = on.tab;
  await on.tab.open(`memory?scope=${scope_id}&entry=${citation.entry_id}`);
  const region = page.getByRole('region', { name: 'Entry', exact: true });
  const timeline = region.getByRole('list', { name: 'Timeline' });
  const links: string[] = [];
  for (let newest = events; newest > 0; newest -= pageEvents) {
    await timeline.getByRole('link', { name: new RegExp(` version ${newest} `) }).waitFor();
    const versions = Array.from({ length: pageEvents }, (_, at) => newest - at);
    expect(await timeline.getByRole('link').allTextContents()).toEqual(
      versions.map((version) => expect.stringContaining(` version ${version} `)),
    );
    links.push((await timeline.getByRole('link').last().getAttribute('href')) ?? '');
    const changed = versions.filter((version) => version > 1);
    await page.evaluate(
      `document.querySelectorAll('[aria-label="Timeline"] details').forEach((one) => (one.open = true))`,
    );
    const lines = timeline.locator('.lines li');
    await expect.poll(() => lines.count()).toBe(changed.length * 2);
    expect(await lines.allTextContents()).toEqual(
      changed.flatMap((version) => [`removed${textOf(version - 1)}`, `added${textOf(version)}`]),
    );
    if (newest > pageEvents) await region.getByRole('button', { name: 'Next page' }).click();
  }
  await reviseUpTo(events + laterEvents, events + 1);
  for (const [at, link] of links.entries()) {
    await on.tab.open(link);
    await region
      .locator('.stored .text')
      .first()
      .getByText(textOf(events - (at + 1) * pageEvents + 1), { exact: true })
      .waitFor();
  }
});
