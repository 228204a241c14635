import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type Page, startBrowser } from '@continuity/testing/browser';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type ServiceOptions, startService, type TestService } from '../../support/service.ts';
import { startProxy, type TestProxy } from './proxy.ts';

/** Globals of the page that the functions in the browser use. */
interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}
declare const axe: { run(options: object): Promise<AxeResult> };
declare const document: {
  documentElement: { scrollWidth: number; clientWidth: number };
  querySelectorAll(selector: string): { length: number };
};
const axeSource = readFileSync(
  createRequire(import.meta.resolve('@continuity/testing/browser')).resolve('axe-core/axe.min.js'),
  'utf8',
);

const waitMs = 120_000;

export interface ConsoleOptions {
  language?: 'en' | 'zh-CN';
  theme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  hasTouch?: boolean;
}

/** A tab with the console. `complaints` has what no test may cause: policy violations, console errors, requests to other origins. */
export interface ConsoleTab {
  page: Page;
  complaints: string[];
  /** Calls of the API since the tab was opened: `POST /v1/…`. */
  calls: string[];
  /** Opens an address of the console, and waits until `main` is not busy. */
  open(address?: string): Promise<void>;
  /** Waits until `main` is not busy. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** What the tests of a file share, and the tab of the running test. Read the properties in hooks and tests only. */
export interface ConsoleTests {
  readonly service: TestService;
  readonly browser: Browser;
  /** Between the tab and the service. It forwards everything when a test begins. */
  readonly proxy: TestProxy;
  /** A tab of this test at the address of the proxy. */
  readonly tab: ConsoleTab;
}

/**
 * Registers the hooks of a file with tests of the console: one service, browser and proxy for all its tests, and a tab for each. The
 * complaints of that tab fail its test.
 */
export function setUpConsole(
  options: () => ServiceOptions | Promise<ServiceOptions> = () => ({}),
): ConsoleTests {
  let service: TestService;
  let browser: Browser;
  let proxy: TestProxy;
  let tab: ConsoleTab;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(await options()), startBrowser()]);
    proxy = await startProxy(service.url);
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.stop();
    await service?.stop();
  });
  beforeEach(async () => {
    proxy.treat(() => 'forward');
    tab = await openTab(browser, proxy.url);
  });
  afterEach(async () => {
    expectNoComplaints(tab);
    await tab.close();
  });
  return {
    get service() {
      return service;
    },
    get browser() {
      return browser;
    },
    get proxy() {
      return proxy;
    },
    get tab() {
      return tab;
    },
  };
}

/** Opens a tab in a browser context of its own: it shares no storage with others. */
export async function openTab(
  browser: Browser,
  url: string,
  {
    language = 'en',
    theme = 'light',
    viewport = { width: 1280, height: 900 },
    hasTouch = false,
  }: ConsoleOptions = {},
): Promise<ConsoleTab> {
  const context = await browser.newContext({ locale: language, colorScheme: theme, viewport, hasTouch });
  // A busy machine may take long: the limit only ends what hangs.
  context.setDefaultTimeout(waitMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  const calls: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => {
    // Chromium logs each answer of 400 and more: the page shows these itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
    if (message.text().startsWith('policy violation')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error.message)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (target.origin !== origin) complaints.push(`request to ${request.url()}`);
    if (/^\/(v1|health)\//.test(target.pathname)) calls.push(`${request.method()} ${target.pathname}`);
  });
  // As text, because the function would be one of the test's own program, whose lint forbids the console.
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      console.log('policy violation', violatedDirective, blockedURI, sample))`,
  });
  const settle = async () => {
    await page.waitForSelector('main[aria-busy="false"]', { state: 'attached' });
  };
  return {
    page,
    complaints,
    calls,
    settle,
    open: async (address = '') => {
      await page.goto(`${url}/console/${address}`);
      await settle();
    },
    close: () => context.close(),
  };
}

/** Fails for what no state of the console may have: see `complaints`. */
export function expectNoComplaints({ complaints }: ConsoleTab): void {
  expect(complaints).toEqual([]);
}

/** Fails for violations of WCAG 2.2 AA that axe finds in the current state of the page. */
export async function expectAccessible({ page }: ConsoleTab): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { violations } = await axe.run({
      runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] },
      resultTypes: ['violations'],
      // Of the rules with these tags, only the one for audio and video needs files that axe loads, and the console has neither.
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
  expect(found).toEqual([]);
}

/** Fails where the page scrolls sideways. */
export async function expectNoSidewaysScroll({ page }: ConsoleTab): Promise<void> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(beyond).toBeLessThanOrEqual(0);
}

/** Elements of the page. */
export const countNodes = ({ page }: ConsoleTab): Promise<number> =>
  page.evaluate(() => document.querySelectorAll('*').length);
