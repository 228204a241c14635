import { createHash } from 'node:crypto';
import { type Browser, hasBrowser, type Page, startBrowser } from '@continuity/testing/browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogCalls } from '../support/catalog.ts';
import { cite, draft, handoffCalls, prepared, stated } from '../support/handoff.ts';
import { freshScope } from '../support/memory.ts';
import { reportCalls } from '../support/reports.ts';
import { startService, type TestService } from '../support/service.ts';

/** Globals that the functions in the browser use. */
interface PageElement {
  readonly scrollWidth: number;
  readonly parentElement: PageElement | null;
  getBoundingClientRect(): { right: number };
}
interface PageStyle {
  color: string;
  backgroundColor: string;
  display: string;
  content: string;
  breakAfter: string;
}
declare const document: {
  documentElement: PageElement;
  querySelector(selector: string): PageElement | null;
};
declare function getComputedStyle(element: PageElement, pseudo?: string): PageStyle;

const pageTest = test.skipIf(!(await hasBrowser()));

let service: TestService;
let calls: ReturnType<typeof reportCalls>;
let browser: Browser;
let page: Page;
let project_id: string;
const requests: string[] = [];
const complaints: string[] = [];

/** Texts that would be markup, a script or a broken layout if one of them were not escaped. */
const hostile = {
  title: '</title><script>alert(1)</script> <b>"x"</b>',
  key: 'K"><img src=x onerror=alert(2)>',
  objective: '<iframe src=https://example.org></iframe> &amp; \u202Ereversed',
  state: `[a](javascript:b) ${'unbroken'.repeat(60)}`,
  action: "' onmouseover='alert(3)' x='",
  omission: '<style>*{display:none}</style>',
  activity: '<a href="javascript:alert(4)">x</a> 漢字 e\u0301',
};

beforeAll(async () => {
  service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
  calls = reportCalls(service);
  const { made, register, record } = catalogCalls(service);
  ({ project_id } = await made({
    title: hostile.title,
    default_locale: 'en',
    project_key: hostile.key,
  }));
  const reference = { kind: 'issue', provider: 'tracker', external_id: '<1>' } as const;
  const external_refs = [
    { ...reference, url: 'https://example.org/?a="<b>&c' },
    { ...reference, external_id: '2', url: 'javascript:alert(5)' },
  ];
  for (const name of ['one', 'two']) {
    const scope = freshScope();
    await handoffCalls(service).ground(scope);
    await register(project_id, scope, {
      title: `${name} ${hostile.title}`,
      key: `${name}${hostile.key}`,
      external_refs,
    });
    const content = draft({
      objective: hostile.objective,
      state: [stated(hostile.state, cite('evidence'))],
      disposition: 'blocked',
      next_action: stated(hostile.action, cite('evidence')),
      omissions: [{ text: hostile.omission, citation: null }],
    });
    await handoffCalls(service).commit(scope, prepared(scope, 0, content));
    await record(project_id, { scope_id: scope, title: hostile.activity, summary: hostile.omission });
  }
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  await page.goto(`${service.url}/reports/view?project_id=${project_id}`);
});

afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const texts = (selector: string) =>
  page.$$eval(selector, (elements) => elements.map((element) => element.textContent));

pageTest('spec 30 scenario 50: one request is made, no script runs, and the console is empty', async () => {
  expect(requests).toEqual([`${service.url}/reports/view?project_id=${project_id}`]);
  expect(complaints).toEqual([]);
  expect(await page.$$('script, iframe, img, form, object, embed, [style], [onerror]')).toEqual([]);
  expect(await page.title()).toBe(`Project Handoff Report — ${hostile.title}`);
});

pageTest('spec 30 scenario 50: every stored text is the text of one bdi or code', async () => {
  const shown = new Set(await texts('main bdi, main code, nav bdi'));
  const clean = { ...hostile, objective: hostile.objective.replace('\u202E', '\uFFFD') };
  const { title, key, ...others } = clean;
  for (const text of [
    ...Object.values(others),
    title,
    `one ${title}`,
    `two${key}`,
    'tracker <1>',
    'tracker 2',
  ]) {
    expect(shown).toContain(text);
  }
});

pageTest('spec 30 scenario 50: headings, items, cells and links are those of the Markdown', async () => {
  const markdown = (await calls.get({ project_id, format: 'markdown' })).text.split('\n---\n\n')[1] ?? '';
  const count = (pattern: RegExp) => markdown.match(pattern)?.length ?? 0;
  expect(await texts('main h1, main h2, main h3, main h4')).toHaveLength(count(/^#{1,4} /gm));
  expect(await texts('main li')).toHaveLength(count(/^ *- /gm));
  expect(await texts('main tr')).toHaveLength(count(/^\| /gm) - 1);
  expect(await texts('main a')).toHaveLength(count(/\]\(</g));
  const links = await page.$$eval('main a', (all) =>
    all.map((a) => [a.getAttribute('href'), a.getAttribute('rel')]),
  );
  expect(new Set(links.map(String))).toEqual(
    new Set(['https://example.org/?a=%22%3Cb%3E&c,noopener noreferrer nofollow']),
  );
  expect(await page.$$eval('nav a', (all) => all.map((a) => a.getAttribute('href')))).toEqual([
    '#entry-1',
    '#entry-2',
  ]);
  expect(await page.$$eval('h3', (all) => all.map(({ id }) => id))).toEqual(['entry-1', 'entry-2']);
});

pageTest(
  'spec 30 scenario 50: the policy has the digest of the style element, in the header and in the page',
  async () => {
    const { headers } = await calls.view({ project_id });
    const policy = headers.get('content-security-policy') ?? '';
    const [style = ''] = await texts('style');
    const digest = createHash('sha256')
      .update(style ?? '')
      .digest('base64');
    expect(policy).toBe(
      `default-src 'none'; img-src data:; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    const meta = await page.$eval('meta[http-equiv]', (element) => element.getAttribute('content'));
    expect(meta).toBe(policy.replace("; frame-ancestors 'none'", ''));
  },
);

pageTest(
  'spec 30 scenario 50: at 360 pixels only the table scrolls sideways, and all text can be read',
  async () => {
    const [width, table] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.querySelector('main > div')?.getBoundingClientRect().right ?? 0,
    ]);
    expect(width).toBeLessThanOrEqual(360);
    expect(table).toBeLessThanOrEqual(360);
    const beyond = await page.$$eval('main :not(div, div *)', (all) =>
      all.filter((element) => element.getBoundingClientRect().right > 360).map(({ tagName }) => tagName),
    );
    expect(beyond).toEqual([]);
  },
);

/** The contrast of text with the page, of the elements of a selector. */
const contrasts = (selector: string) =>
  page.$$eval(selector, (all) => {
    const luminance = (color: string) => {
      const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const backgroundOf = (element: PageElement | null): string => {
      if (element === null) return 'rgb(255, 255, 255)';
      const { backgroundColor } = getComputedStyle(element);
      return backgroundColor === 'rgba(0, 0, 0, 0)' ? backgroundOf(element.parentElement) : backgroundColor;
    };
    return all.map((element) => {
      const pair = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))];
      return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    });
  });

pageTest.each(['light', 'dark'] as const)(
  'spec 30 §4.11.8: in the %s scheme text has a contrast of 4.5 to 1',
  async (scheme) => {
    await page.emulateMedia({ colorScheme: scheme });
    const all = await contrasts('h1, h2, h3, h4, p, li, a, code, td, th, time');
    expect(Math.min(...all)).toBeGreaterThanOrEqual(4.5);
    await page.emulateMedia({ colorScheme: 'light' });
  },
);

pageTest('spec 30 scenario 50: printed, the page has no nav, and is black on white', async () => {
  await page.emulateMedia({ media: 'print' });
  const printed = await page.evaluate(() => {
    const style = (selector: string, pseudo?: string) => {
      const element = document.querySelector(selector);
      if (element === null) throw new Error(`The page has no ${selector}.`);
      return getComputedStyle(element, pseudo);
    };
    return {
      nav: style('nav').display,
      colors: ['h1', 'p', 'li', 'code', 'a'].map((selector) => style(selector).color),
      background: style('html').backgroundColor,
      afterLink: style('main a', '::after').content,
      heading: style('h3').breakAfter,
      head: style('thead').display,
    };
  });
  expect(printed).toEqual({
    nav: 'none',
    colors: Array.from({ length: 5 }, () => 'rgb(0, 0, 0)'),
    background: 'rgb(255, 255, 255)',
    afterLink: '" <https://example.org/?a=%22%3Cb%3E&c>"',
    heading: 'avoid',
    head: 'table-header-group',
  });
  await page.emulateMedia({ media: null });
});

pageTest('spec 30 §4.11: the Chinese page', async () => {
  await page.goto(`${service.url}/reports/view?project_id=${project_id}&locale=zh-CN`);
  expect(await page.$eval('html', ({ lang }) => lang)).toBe('zh-CN');
  expect((await texts('main h2')).slice(0, 2)).toEqual(['概览', '阻塞事项']);
  expect(await page.$eval('nav', (nav) => nav.getAttribute('aria-label'))).toBe('目录');
});
