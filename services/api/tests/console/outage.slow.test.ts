import { migrate } from '@continuity/kernel/database';
import { startPostgres } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope, remember } from '../support/memory.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import {
  type ConsoleTab,
  expectAccessible,
  expectNoComplaints,
  openTab,
  setUpConsole,
} from './support/console.ts';

const postgres = await startPostgres({ durable: false });
await migrate(postgres.url);
afterAll(() => postgres.stop());

// No worker runs.
const on = setUpConsole(() => ({ environment: { DATABASE_URL: postgres.url } }));

const button = (name: string | RegExp) => on.tab.page.getByRole('button', { name, exact: true });
async function fill(): Promise<string> {
  const scope = freshScope();
  const source_refs = await captureSources(on.service, scope, 1);
  await remember(on.service, scope, 'The nightly export runs at two.');
  await reviewCalls(on.service).propose(scope, { source_refs });
  return scope;
}

const pages: [string, (scope: string) => string, string][] = [
  ['Home', (scope) => `?scope=${scope}`, 'Waiting for review'],
  ['Review', (scope) => `review?within=scope&scope=${scope}`, 'Approve version 1'],
  ['Why', (scope) => `why?scope=${scope}#q=nightly+export`, 'What the agent got'],
  ['Memory', (scope) => `memory?scope=${scope}`, 'The nightly export runs at two.'],
  ['Sources', (scope) => `sources?scope=${scope}`, 'Extracted up to position 0 of'],
  ['First steps', () => 'first-steps', '1. Capture a note'],
];

test('spec 60 scenario 21: with a stopped database, each page stays, says so, and recovers without a reload', async () => {
  const scope = await fill();
  const outageOf = ({ page }: ConsoleTab) => page.getByText(/^The service has not answered since/);
  const opened = await Promise.all(
    pages.map(async ([name, address, text]) => {
      const tab = await openTab(on.browser, on.proxy.url);
      await tab.open(address(scope));
      const known = tab.page.getByText(text).first();
      await known.waitFor();
      return { name, tab, known };
    }),
  );
  const late = on.tab;
  try {
    await postgres.stop();
    for (const { name, tab, known } of opened) {
      await tab.page.getByRole('button', { name: 'Refresh' }).click();
      await outageOf(tab).waitFor();
      expect([name, await known.isVisible()]).toEqual([name, true]);
      const writes = /^(Approve version 1|Reject version 1|Revise version 1|Flush|Capture|Propose)$/;
      for (const write of await tab.page.getByRole('button', { name: writes }).all())
        expect([name, await write.isDisabled()]).toEqual([name, true]);
    }
    await late.page.goto(`${on.proxy.url}/console/memory?scope=${scope}`);
    await late.page
      .getByText(/^The database does not answer/)
      .first()
      .waitFor();
    await expectAccessible(late);
    await postgres.start();
    for (const { name, tab, known } of opened) {
      await outageOf(tab).waitFor({ state: 'detached' });
      await expect.poll(() => tab.page.getByText(/^The database does not answer/).count()).toBe(0);
      expect([name, await known.isVisible()]).toEqual([name, true]);
      expectNoComplaints(tab);
    }
    await late.page.getByText('The nightly export runs at two.').waitFor();
  } finally {
    await Promise.all(opened.map(({ tab }) => tab.close()));
  }
});

test('spec 60 scenario 21: without a worker, a flush says which queue has none, and the rest works', async () => {
  const scope = await fill();
  await on.tab.open(`sources?scope=${scope}`);
  await button('Flush').click();
  await on.tab.page.getByText('No worker takes memory-flush. What needs no worker still works.').waitFor();
  // The advice of the error record.
  await on.tab.page.getByText('If the error persists, the operator should start a worker.').waitFor();
  expect(await on.tab.page.getByText(/^The service has not answered since/).count()).toBe(0);
  await on.tab.page.getByRole('table', { name: 'Sources' }).getByRole('link').first().click();
  await on.tab.page.getByText('This Source waits for extraction.').waitFor();
  await on.tab.open(`memory?scope=${scope}`);
  await button('Remember').click();
  await on.tab.page.getByRole('textbox', { name: 'Text' }).fill('Backups run at night.');
  await button('Confirm').click();
  await on.tab.page.getByRole('link', { name: 'Backups run at night.' }).waitFor();
  await on.tab.open('first-steps');
  await button('Capture').click();
  await on.tab.page.getByText('✓ done').waitFor();
  await button('Flush').click();
  await on.tab.page.getByText('No worker takes memory-flush.').waitFor();
  expect(await button('Propose').isEnabled()).toBe(true);
});

test('spec 60 §6.3: a flush that outlasts the wait of the gateway is followed', async () => {
  const scope = await fill();
  const job_id = '01a0521c-0000-7000-8000-000000000000';
  let polls = 0;
  let isDone = false;
  // The proxy answers as a gateway whose worker takes long.
  on.proxy.treat(({ path }) => {
    if (path === '/v1/memory/flush')
      return {
        status: 503,
        body: { error: { code: 'job_timeout', message: 'The job is still running.', details: { job_id } } },
      };
    if (!path.startsWith('/v1/jobs/')) return 'forward';
    polls += 1;
    const times = { created_at: '2026-11-27T08:00:00.000Z', started_at: null, finished_at: null };
    const job = { job_id, queue: 'memory-flush', operation: 'flush_memory', scope_id: scope, progress: null };
    const status = isDone ? 'succeeded' : 'running';
    return { status: 200, body: { ...job, ...times, status, error: null, result: isDone ? {} : null } };
  });
  await on.tab.page.clock.install();
  await on.tab.open(`sources?scope=${scope}`);
  await button('Flush').click();
  const messages = on.tab.page.getByRole('status', { name: 'Messages' });
  await expect.poll(() => polls).toBeGreaterThan(0);
  await on.tab.page.clock.fastForward(6_000);
  await on.tab.page.getByText('It goes on, and the page follows it.').waitFor();
  isDone = true;
  await on.tab.page.clock.fastForward(6_000);
  await messages.getByText('Extraction is complete.').waitFor();
  expect(await on.tab.page.getByText(/^The service has not answered since/).count()).toBe(0);
});

test('spec 60 §6.3: a write that was limited is sent again by the person alone', async () => {
  const scope = await fill();
  let sent = 0;
  on.proxy.treat(({ path }) => {
    if (!path.endsWith('/memory/remember')) return 'forward';
    sent += 1;
    return {
      status: 429,
      body: { error: { code: 'rate_limited', message: 'Too many requests.', details: {} } },
      headers: { 'retry-after': '1' },
    };
  });
  await on.tab.open(`memory?scope=${scope}`);
  await button('Remember').click();
  await on.tab.page.getByRole('textbox', { name: 'Text' }).fill('Once.');
  await button('Confirm').click();
  await on.tab.page.getByText('Nothing is sent again by itself. Try again in 1 s.').waitFor();
  on.proxy.treat(() => 'forward');
  await button('Confirm').click();
  await on.tab.page.getByRole('status', { name: 'Messages' }).getByText('Remembered.').waitFor();
  expect(sent).toBe(1);
});
