import { beforeAll, expect, test } from 'vitest';
import { countNodes, expectNoSidewaysScroll, setUpConsole } from './support/console.ts';
import { type HostileTenant, hostile, plantHostile, visible } from './support/hostile.ts';

const on = setUpConsole();
let tenant: HostileTenant;

beforeAll(async () => {
  tenant = await plantHostile(on.service);
});

/** Fails if a stored text became an element, or a page of it is too large or too wide. */
async function expectOnlyText(): Promise<void> {
  const { page } = on.tab;
  expect(
    await page
      .locator('main img, main script, main iframe, main a[href^="javascript"], main a[href*="evil"]')
      .count(),
  ).toBe(0);
  await expectNoSidewaysScroll(on.tab);
  expect(await countNodes(on.tab)).toBeLessThanOrEqual(3_000);
}

test.each(['memory', 'entry', 'sources', 'source', 'why', 'experience', 'skill', 'file', 'home'] as const)(
  'spec 60 scenario 5: the texts of a hostile tenant are text on the page of %s',
  async (name) => {
    for (const width of [1280, 360]) {
      await on.tab.page.setViewportSize({ width, height: 800 });
      await on.tab.open(tenant[name]);
      if (name === 'home') await on.tab.page.getByRole('combobox', { name: 'Scope', exact: true }).click();
      await on.tab.page.getByText(visible).filter({ visible: true }).first().waitFor();
      await expectOnlyText();
    }
  },
);

test('spec 60 scenario 5: tags are spelled out in the proposal, in a file, and in a difference', async () => {
  const spelled = () => on.tab.page.getByText(/Tags read:\s*hi/).filter({ visible: true });
  for (const name of ['experience', 'skill', 'file'] as const) {
    await on.tab.open(tenant[name]);
    await spelled().first().waitFor();
    await on.tab.page.locator('.lines .code-point').filter({ visible: true }).first().waitFor();
  }
  await on.tab.open(tenant.source);
  await spelled().first().waitFor();
});

test('spec 60 scenario 5: copying gives the stored characters, also of a text in a line', async () => {
  for (const [address, selector] of [
    [tenant.source, '.candidate > .stored .text'],
    [tenant.experience, '.candidate-head h2 bdi'],
  ] as const) {
    await on.tab.open(address);
    await on.tab.page.locator(selector).first().waitFor();
    const copied = await on.tab.page.evaluate((selected) => {
      const page = globalThis as never as {
        document: { querySelector(selector: string): { dispatchEvent(event: unknown): void } };
        getSelection(): { selectAllChildren(node: unknown): void };
        DataTransfer: new () => { getData(type: string): string };
        ClipboardEvent: new (type: string, init: object) => unknown;
      };
      const node = page.document.querySelector(selected);
      page.getSelection().selectAllChildren(node);
      const clipboardData = new page.DataTransfer();
      node.dispatchEvent(new page.ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData('text/plain');
    }, selector);
    expect(copied.slice(0, hostile.length)).toBe(hostile);
  }
});
