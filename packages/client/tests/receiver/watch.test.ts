import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@continuity/testing';
import { expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { ServiceError } from '../../src/errors.ts';
import { nextDelayMs, runReceiver } from '../../src/receiver/run.ts';
import { packageVersion } from '../../src/request.ts';
import { packageOf } from './fake-service.ts';
import { agent, startEnrolled, treeOf } from './workspace.ts';

const refused = {
  error: { code: 'runtime_not_ready' as const, message: 'The service is starting.', details: {} },
};

const interval = { failures: 0, intervalMs: 60_000, retryAfterSeconds: 0 };

test('syncs spread by up to 10 % of the interval', () => {
  expect(nextDelayMs(interval, () => 0)).toBeCloseTo(54_000);
  expect(nextDelayMs(interval, () => 1)).toBeCloseTo(66_000);
});

test('after failures the delay doubles from 5 s to 300 s, and is at least Retry-After', () => {
  const delays = [1, 2, 3, 7, 8, 500].map((failures) => nextDelayMs({ ...interval, failures }, () => 0.5));
  expect(delays).toEqual([5_000, 10_000, 20_000, 300_000, 300_000, 300_000]);
  expect(nextDelayMs({ ...interval, failures: 1, retryAfterSeconds: 900 }, () => 0.5)).toBe(900_000);
});

test.each(['0', '2000000', '999999999', '9'.repeat(40)])(
  'spec 40 scenario 58: Retry-After: %s neither lets the Receiver spin nor sleep for days',
  async (retryAfter) => {
    const { service, workspace } = await startEnrolled();
    service.requests = [];
    service.override = () => ({ status: 503, body: refused, headers: { 'retry-after': retryAfter } });
    const stop = new AbortController();
    const running = runReceiver({
      project: workspace.project,
      agent,
      intervalMs: 20,
      signal: stop.signal,
      onStart: () => {},
      onReport: () => {},
      onFault: () => {},
    });
    await waitUntil(() => service.paths().length > 0);
    // Time for a second request, which must not come.
    await delay(500);
    stop.abort();
    await running;
    expect(service.paths()).toEqual(['reconcile']);
    const answer = new Response(null, { status: 503, headers: { 'retry-after': retryAfter } });
    const { retryAfterSeconds } = new ServiceError(refused, answer);
    const next = nextDelayMs({ ...interval, failures: 1, retryAfterSeconds: Number(retryAfterSeconds) });
    expect(next).toBeGreaterThanOrEqual(1_000);
    expect(next).toBeLessThanOrEqual(900_000);
  },
);

test('the Receiver tells the version of its package', () => {
  expect(packageVersion).toBe(packageFile.version);
});

test('the watch follows decisions, goes on after a fault, and stops at a revocation, where it leaves the files', async () => {
  const { service, workspace } = await startEnrolled();
  const { project } = workspace;
  service.publish('a', packageOf('check', 1));
  const faults: string[] = [];
  const reports: number[] = [];
  const running = runReceiver({
    project,
    agent,
    intervalMs: 20,
    signal: new AbortController().signal,
    onStart: () => {},
    onReport: ({ installed }) => {
      reports.push(installed.length);
      if (reports.length === 1) service.publish('a', packageOf('check', 2));
      if (reports.length === 3) service.credential = 'skt_revoked';
    },
    onFault: ({ message }) => faults.push(message),
  });
  await expect(running).rejects.toMatchObject({ status: 401 });
  expect(reports).toEqual([1, 1, 0]);
  expect(faults).toEqual([]);
  expect(await treeOf(project)).toHaveProperty(['.agents/skills/check/SKILL.md']);
});

test('the watch ends between two steps when it is told to', async () => {
  const { service, workspace } = await startEnrolled();
  const { project } = workspace;
  service.override = (path) => (path.endsWith('/reconcile') ? { status: 503, body: {} } : undefined);
  const stop = new AbortController();
  const faults: string[] = [];
  const running = runReceiver({
    project,
    agent,
    intervalMs: 20,
    signal: stop.signal,
    onStart: () => {},
    onReport: () => {},
    onFault: ({ message }) => {
      faults.push(message);
      stop.abort();
    },
  });
  await running;
  expect(faults).toEqual([expect.stringContaining('HTTP 503')]);
});
