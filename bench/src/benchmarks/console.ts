import { type Browser, type Page, startBrowser } from '@continuity/testing/browser';
import type { Bench, Benchmark, Finding } from '../benchmark.ts';
import { copyCandidate } from '../data/candidates.ts';
import { makeExperience } from '../data/experiences.ts';
import { createFilledScopes, vacuumTables } from '../data/fill-scope.ts';
import { seededRandom } from '../data/random.ts';
import { makeQuery } from '../data/texts.ts';
import { pollAsConsoles } from '../load/console-polls.ts';
import { send } from '../load/http-load.ts';
import { searchRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { type LoadedService, runOnService } from '../servers/run-on-service.ts';

const scopeId = 'reviewed';
const candidates = 10_000;
const runs = 7;
const maxFirstDecisionMs = 3_000;
const maxApprovedMs = 500;
const maxDecisionMs = 500;
const maxStepMs = 100;
const maxHeapRatio = 1.5;
const longTaskMs = 100;
const pollingConsoles = 50;
const minThroughput = 0.95;
const connections = 8;
const searchedScope = 'searched';
const searchedEntries = 1_000;
const cpuSlowdown = 4;
const network = { offline: false, latency: 40, downloadThroughput: 1.25e6, uploadThroughput: 1.25e6 };

const approve = '.decision button.primary:enabled';

export const webConsole: Benchmark = {
  name: 'console',
  summary:
    'review in Chromium among 10,000 Candidates: time to the first decision, of each decision, memory; load of 50 open consoles',
  run: (bench) =>
    runOnService(bench, {}, async (running) => {
      const { url, databaseUrl, load } = running;
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
      await createFilledScopes(running, [searchedScope], isQuick ? 10 : searchedEntries, seededRandom(61));
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
            await throughputBesideConsoles(bench, running),
          ],
        };
      } finally {
        await browser.close();
      }
    }),
};

/** Searches a second beside polling consoles, as a share of those without, in turns. */
async function throughputBesideConsoles(
  { isQuick, log }: Bench,
  { url, load, service: { gateways } }: LoadedService,
): Promise<Finding> {
  log('console: searches beside polling consoles');
  const [gateway] = gateways;
  const random = seededRandom(50);
  const requests = Array.from({ length: 200 }, () => searchRequest(searchedScope, makeQuery(random)));
  const round = async () => {
    const before = (await gateway?.processorMs()) ?? 0;
    const { count, perSecond } = await send(load, [url], requests, {
      connections,
      repeats: true,
      maxMs: isQuick ? 50 : 2_000,
    });
    return { perSecond, processorMs: (((await gateway?.processorMs()) ?? 0) - before) / count };
  };
  await round();
  const alone: Awaited<ReturnType<typeof round>>[] = [];
  const beside: typeof alone = [];
  for (let turn = 0; turn < (isQuick ? 1 : 15); turn += 1) {
    alone.push(await round());
    const polls = pollAsConsoles(url, pollingConsoles);
    try {
      beside.push(await round());
    } finally {
      await polls.stop();
    }
  }
  const of = (rounds: typeof alone, name: 'perSecond' | 'processorMs') =>
    median(rounds.map((one) => one[name]));
  return {
    name: `console: searches/s beside ${pollingConsoles} polling consoles / without`,
    value: of(beside, 'perSecond') / of(alone, 'perSecond'),
    unit: '×',
    bar: { kind: 'at least', limit: minThroughput },
    note: `${of(beside, 'perSecond').toFixed(0)} and ${of(alone, 'perSecond').toFixed(0)} a second; processor time of the gateway for a search ${of(beside, 'processorMs').toFixed(2)} and ${of(alone, 'processorMs').toFixed(2)} ms`,
  };
}

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
  await page.addInitScript({
    content: `globalThis.longTasks = 0;
    new PerformanceObserver((list) => {
      longTasks += list.getEntries().filter(({ duration }) => duration > ${longTaskMs}).length;
    }).observe({ type: 'longtask' })`,
  });
  const session = await page.context().newCDPSession(page);
  await page.goto(`${url}/console/review`);
  await page.waitForSelector(approve);
  let longTasks = 0;
  await page.evaluate('longTasks = 0');
  const chosen = () => page.getAttribute('.list-pane a[aria-current]', 'data-key');
  const approvals: number[] = [];
  const decisions: number[] = [];
  const steps: number[] = [];
  const heaps: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    await page.keyboard.press('a');
    const before = await chosen();
    const { shownMs, saidMs } = await timeUntil(page, 'Enter', before);
    decisions.push(shownMs);
    approvals.push(saidMs ?? shownMs);
    if (index % 10 === 0) steps.push((await timeUntil(page, 'j', await chosen())).shownMs);
    if (index === Math.ceil(count / 10) || index === count) {
      // A forced collection is a long task, too.
      longTasks += await page.evaluate<number>('longTasks');
      heaps.push(await heapOf(session));
      await page.evaluate('longTasks = 0');
    }
  }
  await page.close();
  const [early = 1, late = 0] = heaps;
  return [
    {
      name: 'console: "Confirm" to "Approved"',
      value: median(approvals),
      unit: 'ms',
      bar: { kind: 'at most', limit: maxApprovedMs },
    },
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
      name: `console: tasks over ${longTaskMs} ms in ${count} decisions`,
      value: longTasks,
      unit: '',
      bar: { kind: 'at most', limit: 0 },
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

/**
 * Milliseconds, in the page, from a key until another Candidate than `before` can be decided (`shownMs`), and until "Messages" says
 * something else (`saidMs`, null if it did not by then).
 */
async function timeUntil(
  page: Page,
  key: string,
  before: string | null,
): Promise<{ shownMs: number; saidMs: number | null }> {
  await page.evaluate(
    ([selector, last]) => {
      const { document, addEventListener, performance, MutationObserver } = globalThis as never as Dom;
      const state = globalThis as unknown as {
        began: number;
        said: number | null;
        ended: number | undefined;
      };
      state.ended = undefined;
      state.said = null;
      const messages = () => document.querySelector('.messages')?.textContent;
      const saidBefore = messages();
      addEventListener('keydown', () => (state.began = performance.now()), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        if (messages() !== saidBefore) state.said ??= performance.now();
        const link = document.querySelector('.list-pane a[aria-current]');
        if (link?.getAttribute('data-key') === last || document.querySelector(selector ?? '') === null)
          return;
        state.ended = performance.now();
        observer.disconnect();
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    },
    [approve, before] as const,
  );
  await page.keyboard.press(key);
  for (;;) {
    const times = await page.evaluate<{ shownMs: number; saidMs: number | null } | null>(
      'ended === undefined ? null : { shownMs: ended - began, saidMs: said === null ? null : said - began }',
    );
    if (times !== null) return times;
  }
}

/** What the function in the page uses of the browser. */
interface Dom {
  document: {
    querySelector(
      selector: string,
    ): { textContent: string; getAttribute(name: string): string | null } | null;
  };
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
