import { beforeAll, expect, test } from 'vitest';
import { experience } from '../support/documents.ts';
import { freshScope, remember } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import {
  type ConsoleTab,
  expectAccessible,
  expectNoComplaints,
  expectNoSidewaysScroll,
  openTab,
  setUpConsole,
} from './support/console.ts';
import { plantHostile } from './support/hostile.ts';

const on = setUpConsole(() => ({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } }));

const executable = 0o100755;
const addresses = new Map<string, string>();

beforeAll(async () => {
  const scope = freshScope();
  const source_refs = await captureSources(on.service, scope, 3);
  const review = reviewCalls(on.service);
  const proposed = (await review.propose(scope, { source_refs })).body.candidate_id;
  await review.revise(
    scope,
    proposed,
    1,
    { source_refs },
    { ...experience(), lesson: 'In a second version' },
  );
  const target = await review.create(scope, 'experience');
  const cited = { source_refs, artifact_refs: [target], target };
  const stale = (
    await on.service.call('propose_experience', {
      body: { scope_id: scope, proposal: experience(), ...cited },
    })
  ).body;
  await review.replace(scope, target);
  const skills = skillCalls(on.service);
  const archive = (text: string) =>
    archiveOf(skillFile('deploy', text), {
      name: 'run.sh',
      content: `#!/bin/sh\n${text}\n`,
      mode: executable,
    });
  const before = await skills.approved(scope, archive('before'));
  const skill = (await skills.upload(scope, archive('after'), { target: before })).body.candidate_id;
  const { entry } = await remember(on.service, scope, 'The nightly export runs at two.\u202E');
  const { citation } =
    (
      await on.service.call('revise_memory_entry', {
        body: {
          scope_id: scope,
          citation: entry.citation,
          kind: 'fact',
          text: 'The nightly export runs at three.',
        },
      })
    ).body.entry ?? entry;
  await on.service.call('flush_memory', { body: { scope_id: scope } });
  const of = `review?within=scope&scope=${scope}&of=${scope}&candidate=`;
  const hostile = await plantHostile(on.service);
  for (const [name, address] of Object.entries({
    Home: `?scope=${scope}`,
    'Home of all Scopes': '?count=all&period=7d',
    'an empty Home': `?scope=${freshScope()}`,
    'the list of Review': `review?within=scope&scope=${scope}`,
    'an empty Review': 'review?status=rejected&family=skill',
    'what was approved': 'review?status=approved',
    'an Experience': `${of}${proposed}`,
    'the versions of an Experience': `${of}${proposed}&tab=versions`,
    'what is similar': `${of}${proposed}&tab=similar`,
    'the evidence of an Experience': `${of}${proposed}&tab=evidence`,
    'a stale Candidate': `${of}${stale.candidate_id}`,
    'a Skill': `${of}${skill}`,
    'the files of a Skill': `${of}${skill}&tab=files`,
    'a file of a Skill': `${of}${skill}&tab=files&file=run.sh`,
    'an unknown Candidate': `${of}01a0521c-0000-7000-8000-000000000000`,
    Why: `why?scope=${scope}`,
    'an explanation': `why?scope=${scope}#q=nightly+export`,
    'a context without room': `why?scope=${scope}&max_bytes=512#q=nightly+export`,
    'an empty context': `why?scope=${freshScope()}#q=nightly+export`,
    Memory: `memory?scope=${scope}`,
    'a search': `memory?scope=${scope}#q=export`,
    'an entry': `memory?scope=${scope}&entry=${citation.entry_id}`,
    'an event': `memory?scope=${scope}&entry=${citation.entry_id}&revision=1`,
    'an unknown entry': `memory?scope=${scope}&entry=01a0521c-0000-7000-8000-000000000000`,
    Sources: `sources?scope=${scope}`,
    'a Source': `sources?scope=${scope}&type=content&source=${encodeURIComponent('source 0')}`,
    'no Sources': `sources?scope=${freshScope()}`,
    'First steps': 'first-steps',
    'no page': 'nowhere',
    'an unknown parameter': 'sources?unheard=1',
    'a hostile Experience': hostile.experience,
    'a hostile file': hostile.file,
    'a hostile entry': hostile.entry,
    'a hostile Source': hostile.source,
  }))
    addresses.set(name, address);
});

const maxClosed = 20;

/** Opens what the page has closed. */
async function openAll({ page, settle }: ConsoleTab): Promise<void> {
  const closed = page.locator('main details:not([open]) > summary').filter({ visible: true });
  for (let count = 0; count < maxClosed && (await closed.count()) > 0; count += 1)
    await closed.first().click();
  await settle();
}

/** Checks the page in both themes. A theme is styles alone, so the page that follows one of the system shows it without being loaded again. */
async function expectFitInBothThemes(tab: ConsoleTab): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.page.emulateMedia({ colorScheme });
    await expectAccessible(tab);
    await expectNoSidewaysScroll(tab);
  }
}

test.each(
  (['en', 'zh-CN'] as const).flatMap((language) => [1280, 360].map((width) => ({ language, width }))),
)(
  'spec 60 §9: in $language, at $width pixels, in light and dark, no page has a violation or scrolls sideways',
  async ({ language, width }) => {
    const tab = await openTab(on.browser, on.service.url, { language, viewport: { width, height: 800 } });
    try {
      for (const [name, address] of addresses) {
        await tab.open(address);
        await openAll(tab);
        await expectFitInBothThemes(tab);
        expect([name, tab.complaints]).toEqual([name, []]);
      }
      for (const key of ['?', '.', 'Control+k']) {
        await tab.page.keyboard.press(key);
        await tab.page.getByRole('dialog').waitFor();
        await expectFitInBothThemes(tab);
        await tab.page.keyboard.press('Escape');
      }
      expectNoComplaints(tab);
    } finally {
      await tab.close();
    }
  },
);
