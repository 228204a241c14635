import { type Browser, type Page, startBrowser } from '@continuity/testing/browser';
import type { Benchmark, Finding } from '../benchmark.ts';
import { copyCandidate } from '../data/candidates.ts';
import { makeExperience } from '../data/experiences.ts';
import { vacuumTables } from '../data/fill-scope.ts';
import { seededRandom } from '../data/random.ts';
import { send } from '../load/http-load.ts';
import { runOnService } from '../servers/run-on-service.ts';

const scopeId = 'reviewed';
const candidates = 10_000;
const runs = 7;
const maxFirstDecisionMs = 3_000;
const maxDecisionMs = 500;
const maxStepMs = 100;
const maxHeapRatio = 1.5;
const cpuSlowdown = 4;
const network = { offline: false, latency: 40, downloadThroughput: 1.25e6, uploadThroughput: 1.25e6 };

const approve = '.decision button.primary:enabled';

export const webConsole: Benchmark = {
  name: 'console',
  summary:
    'review in Chromium among 10,000 Candidates: time to the first decision, of each decision, and memory',
  run: (bench) =>
    runOnService(bench, {}, async ({ url, databaseUrl, load }) => {
      const { isQuick, log } = bench;
      log('console: proposing Candidates');
      const source = { name: 'content', source_id: 'evidence' };
      const content = 'What was seen. '.repeat(100);
      await send(
        load,
        [url],
        [{ path: '/v1/sources/content', body: { scope_id: scopeId, source_id: 'evidence', content } }],
        {
          connections: 1,
        },
      );
      const proposal = makeExperience(seededRandom(60));
      const body = { scope_id: scopeId, proposal, source_refs: [source], artifact_refs: [] };
      const { answers } = await send(load, [url], [{ path: '/v1/experience/propose', body }], {
        connections: 1,
        keepAnswers: true,
      });
      const { candidate_id } = JSON.parse(answers[0]?.body ?? '{}') as { candidate_id: string };
      await copyCandidate(databaseUrl, candidate_id, isQuick ? 100 : candidates);
      await vacuumTables(databaseUrl);
      const browser = await startBrowser();
      try {
        const first: number[] = [];
        for (let run = 0; run < (isQuick ? 1 : runs); run += 1) first.push(await firstDecision(browser, url));
        return {
          throughputs: [],
          findings: [
            {
              name: 'console: time to the first decision, slow processor and network',
              value: median(first),
              unit: 'ms',
              bar: { kind: 'at most', limit: maxFirstDecisionMs },
              note: `processor ÷ ${cpuSlowdown}, 10 Mbit/s, 40 ms; ${first.map(Math.round).join(', ')}`,
            },
            ...(await decide(browser, url, isQuick ? 10 : 300)),
          ],
        };
      } finally {
        await browser.close();
      }
    }),
};

/** Milliseconds from the navigation of a new browser to a button that approves. */
async function firstDecision(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await page.addInitScript({
    content: `new MutationObserver(() => {
      if (document.querySelector('${approve}') !== null) globalThis.readyAt ??= performance.now();
    }).observe(document, { subtree: true, childList: true, attributes: true })`,
  });
  await page.goto(`${url}/console/review`);
  await page.waitForSelector(approve);
  const ms = await page.evaluate<number>('readyAt');
  await context.close();
  return ms;
}

/** Approves Candidates one after the other, and steps to neighbours between. */
async function decide(browser: Browser, url: string, count: number): Promise<Finding[]> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await page.goto(`${url}/console/review`);
  await page.waitForSelector(approve);
  const chosen = () => page.getAttribute('.list-pane a[aria-current]', 'data-key');
  const decisions: number[] = [];
  const steps: number[] = [];
  const heaps: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    await page.keyboard.press('a');
    const before = await chosen();
    decisions.push(await timeUntil(page, 'Enter', before));
    if (index % 10 === 0) steps.push(await timeUntil(page, 'j', await chosen()));
    if (index === Math.ceil(count / 10) || index === count) heaps.push(await heapOf(session));
  }
  await page.close();
  const [early = 1, late = 0] = heaps;
  return [
    {
      name: 'console: a decision, until the next Candidate can be decided',
      value: median(decisions),
      unit: 'ms',
      bar: { kind: 'at most', limit: maxDecisionMs },
    },
    {
      name: 'console: a step to a prefetched neighbour',
      value: median(steps),
      unit: 'ms',
      bar: { kind: 'at most', limit: maxStepMs },
    },
    {
      name: `console: JavaScript heap after ${count} decisions / after ${Math.ceil(count / 10)}`,
      value: late / early,
      unit: '×',
      bar: { kind: 'at most', limit: maxHeapRatio },
      note: heaps.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`).join(', '),
    },
  ];
}

/** Milliseconds, in the page, from a key until another Candidate than `before` can be decided. */
async function timeUntil(page: Page, key: string, before: string | null): Promise<number> {
  await page.evaluate(
    ([selector, last]) => {
      const { document, addEventListener, performance, MutationObserver } = globalThis as never as Dom;
      const state = globalThis as unknown as { began: number; ended: number | undefined };
      state.ended = undefined;
      addEventListener('keydown', () => (state.began = performance.now()), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        const link = document.querySelector('.list-pane a[aria-current]');
        if (link?.getAttribute('data-key') === last || document.querySelector(selector ?? '') === null)
          return;
        state.ended = performance.now();
        observer.disconnect();
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true });
    },
    [approve, before] as const,
  );
  await page.keyboard.press(key);
  for (;;) {
    const ms = await page.evaluate<number | null>('ended === undefined ? null : ended - began');
    if (ms !== null) return ms;
  }
}

/** What the function in the page uses of the browser. */
interface Dom {
  document: { querySelector(selector: string): { getAttribute(name: string): string | null } | null };
  addEventListener(type: string, listener: () => void, options: object): void;
  performance: { now(): number };
  MutationObserver: new (
    callback: () => void,
  ) => { observe(node: object, options: object): void; disconnect(): void };
}

/** Bytes of the JavaScript heap after a forced collection. */
async function heapOf(
  session: Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>,
): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
