import { expect, test } from 'vitest';
import { en } from '../../../../packages/console/src/catalog/en/index.ts';
import { zh } from '../../../../packages/console/src/catalog/zh/index.ts';
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

/** Globals that the functions in the browser use. */
interface Style {
  borderTopStyle: string;
  borderTopWidth: string;
}
declare const document: {
  querySelector(selector: string): object | null;
  getAnimations(): object[];
};
declare function getComputedStyle(element: object | null): Style;

const on = setUpConsole(() => ({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } }));

const executable = 0o100755;

/** A Scope with an Experience and a Skill that wait, an entry and a Source. */
async function fill() {
  const scope = freshScope();
  const source_refs = await captureSources(on.service, scope, 1);
  const { body } = await reviewCalls(on.service).propose(
    scope,
    { source_refs },
    { ...experience(), lesson: 'A 1' },
  );
  const archive = archiveOf(skillFile('deploy'), {
    name: 'scripts/build.sh',
    content: '#!/bin/sh\nmake build\n',
    mode: executable,
  });
  const skill = (await skillCalls(on.service).upload(scope, archive)).body;
  const { entry } = await remember(on.service, scope, 'The nightly export runs at two.');
  return { scope, lesson: body.candidate_id, skill: skill.candidate_id, entry: entry.citation.entry_id };
}

// 320 px are 1,280 px at a zoom of 400 %.
test.each([
  { width: 360, language: 'en', phrases: en },
  { width: 320, language: 'zh-CN', phrases: zh },
] as const)(
  'spec 60 scenario 24: at $width px, in $language, an Experience and a Skill are reviewed to the end by touch',
  async ({ width, language, phrases }) => {
    const { scope, lesson, skill } = await fill();
    const tab = await openTab(on.browser, on.proxy.url, {
      language,
      viewport: { width, height: 640 },
      hasTouch: true,
    });
    const { page } = tab;
    const tap = async (role: 'button' | 'tab' | 'link', name: string | RegExp) => {
      await page.getByRole(role, { name, exact: true }).filter({ visible: true }).first().tap();
      await tab.settle();
      await expectNoSidewaysScroll(tab);
    };
    try {
      await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' });
      await tab.open(`review?within=scope&scope=${scope}`);
      await tap('button', phrases.main);
      await tap('link', phrases.pages.review);
      await page.goBack();
      await tap('link', /^A 1/);
      await tap('tab', phrases.evidenceTab(1));
      await page.getByRole('region', { name: phrases.evidence, exact: true }).locator('.text').waitFor();
      await tap('tab', phrases.proposal);
      await tap('button', phrases.approveVersion(1));
      await tap('button', phrases.confirm);
      await page.getByRole('status', { name: phrases.messages }).getByRole('link').first().waitFor();
      await tap('tab', phrases.filesTab(2));
      await tap('link', /^scripts\/build\.sh/);
      await page.getByText('make build').waitFor();
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      // Without colours of its own, a border marks what is chosen.
      const border = await page.evaluate(() => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(
          document.querySelector('[role="tab"][aria-selected="true"]'),
        );
        return `${borderTopWidth} ${borderTopStyle}`;
      });
      expect(border).toBe('2px solid');
      await tap('button', phrases.rejectVersion(1));
      await tap('button', phrases.rejections[1] ?? '');
      await expectAccessible(tab);
      await tap('button', phrases.confirm);
      await page.getByText(phrases.nothingWaits).filter({ visible: true }).waitFor();
      const review = reviewCalls(on.service);
      const decided = await Promise.all([lesson, skill].map((id) => review.get(scope, id)));
      expect(decided.map(({ body }) => body.status)).toEqual(['approved', 'rejected']);
      expectNoComplaints(tab);
    } finally {
      await tab.close();
    }
  },
);

/** Latin words of the Chinese catalogue, such as names and units. */
const latin = /[A-Za-z]{3,}/g;
function wordsOf(phrases: object): string[] {
  return Object.values(phrases).flatMap((phrase) =>
    typeof phrase === 'object' ? wordsOf(phrase as object) : (String(phrase).match(latin) ?? []),
  );
}
const allowed = new Set([...wordsOf(zh), 'Continuity', 'English', 'curl']);

/** Latin words in the texts and labels of the console itself. Stored texts, ids and raw values are not looked at. */
async function latinWords({ page }: ConsoleTab): Promise<string[]> {
  const texts = (await page.evaluate(`(() => {
    const stored = 'noscript, script, bdi, code, kbd, time, .text, .lines, .file, table td[data-label], .code-point';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode())
      if (walker.currentNode.parentElement.closest(stored) === null) texts.push(walker.currentNode.data);
    for (const element of document.querySelectorAll('[aria-label], [placeholder]'))
      if (element.closest(stored) === null) texts.push(element.getAttribute('aria-label') ?? element.placeholder);
    return texts;
  })()`)) as string[];
  return texts.flatMap((text) => text.match(latin) ?? []).filter((word) => !allowed.has(word));
}

test('spec 60 scenario 24: in Chinese no English phrase is in any page', async () => {
  const { scope, lesson, skill, entry } = await fill();
  const tab = await openTab(on.browser, on.proxy.url, { language: 'zh-CN' });
  const of = `review?within=scope&scope=${scope}&of=${scope}&candidate=`;
  try {
    for (const address of [
      `?scope=${scope}`,
      `${of}${lesson}`,
      ...['files', 'versions', 'similar'].map((name) => `${of}${skill}&tab=${name}`),
      `review?status=rejected&within=scope&scope=${scope}`,
      `why?scope=${scope}#q=nightly+export`,
      `memory?scope=${scope}`,
      `memory?scope=${scope}&entry=${entry}`,
      `sources?scope=${scope}`,
      `sources?scope=${scope}&type=content&source=${encodeURIComponent('source 0')}`,
      'first-steps',
      'nowhere',
      'memory?q=1',
    ]) {
      await tab.open(address);
      expect([address, await latinWords(tab)]).toEqual([address, []]);
    }
    for (const key of ['?', '.', 'Control+k']) {
      await tab.page.keyboard.press(key);
      await tab.page.getByRole('dialog').waitFor();
      expect([key, await latinWords(tab)]).toEqual([key, []]);
      await tab.page.keyboard.press('Escape');
    }
    expectNoComplaints(tab);
  } finally {
    await tab.close();
  }
});
