import { clientFor, underLoad, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogCalls } from '../support/catalog.ts';
import { capture } from '../support/sources.ts';
import {
  countUnfinishedWork,
  findContradictions,
  findFailedJobs,
  findLostOrDoubled,
  forgetFailedEmbeddings,
} from './check.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { injectTogether } from './faults.ts';
import { Ledger, writeKinds } from './ledger.ts';
import { type Load, startLoad } from './load.ts';
import { chooseFaults } from './plan.ts';
import { formatResults, measure, type Result } from './results.ts';
import { reportedScope } from './writers.ts';

/** Bound of the time from the return of a part to the first success of every kind of write. */
const recoveryMs = 10_000;

/** Bound of the time in which every job ends after the last fault. */
const endMs = 60_000;

/** Bounds while PostgreSQL hangs: of a refusal, and of readiness. A busy machine adds to them what it adds to liveness. */
const hangingRefusalMs = 5_000;
const hangingReadinessMs = 2_000;

const plan = chooseFaults();
const ledger = new Ledger();
const results: Result[] = [];
let deployment: Deployment;
let load: Load;

beforeAll(async () => {
  process.stdout.write(`${plan.length} faults, seed ${plan.seed}\n`);
  deployment = await startDeployment();
  const client = clientFor(deployment.urls['gateway-1']);
  const project = await catalogCalls(client).made();
  await capture(client, reportedScope, 'first');
  load = startLoad(ledger, deployment.urls, project.project_id);
  await waitUntil(() => ledger.unservedSince(0).length === 0, {
    timeoutMs: underLoad(60_000),
    what: `a first success of ${writeKinds.join(', ')}`,
  });
});

afterAll(async () => {
  process.stdout.write(`\n${formatResults(results)}\n`);
  await load?.stop();
  await deployment?.stop();
});

test.each(plan.faults)('fault $number: $name', async ({ faults, name }) => {
  ledger.takeEnded();
  ledger.fault = name;
  const injected = await injectTogether({ deployment, ledger }, faults);
  await waitUntil(() => ledger.unservedSince(injected.backAt).length === 0, {
    timeoutMs: underLoad(3 * recoveryMs),
    what: `a success of each kind of write after "${name}"; missing: ${ledger.unservedSince(injected.backAt)}`,
  });
  const result = measure(name, injected, performance.now(), ledger.takeEnded());
  results.push(result);
  process.stdout.write(`${name}: ${injected.bite} under way\n`);
  expect(result.recoveryMs).toBeLessThan(underLoad(recoveryMs));
  if (faults.some(({ part, what }) => part === 'postgres' && what === 'frozen')) {
    expect(result.refused['database_unavailable']).toBeGreaterThan(0);
    expect(result.refusalMs - result.livenessMs).toBeLessThan(underLoad(hangingRefusalMs));
    expect(result.readinessMs - result.livenessMs).toBeLessThan(underLoad(hangingReadinessMs));
  }
});

test('every job has ended within 60 s of the last fault, and none has failed', async () => {
  await load.stop();
  const client = clientFor(deployment.urls['gateway-1']);
  // Refused flushes have left Sources to the next flush of their Scope.
  for (const scope_id of load.scopes) {
    if (scope_id.startsWith('flush-')) await client.call('flush_memory', { body: { scope_id } });
  }
  await waitUntil(async () => (await countUnfinishedWork(deployment.observer)) === 0, {
    timeoutMs: underLoad(endMs),
  });
  await forgetFailedEmbeddings(deployment.observer);
  expect(await findFailedJobs(deployment.observer, ledger)).toEqual([]);
});

test('every answered write is there exactly once, and no unanswered one twice', async () => {
  const answered = ledger.writes.filter(({ isAnswered }) => isAnswered);
  process.stdout.write(`${ledger.writes.length} writes, ${answered.length} of them answered\n`);
  expect(await findLostOrDoubled(deployment.observer, ledger)).toEqual([]);
});

test('nothing is half there, and revisions, positions and cursors have no gap', async () => {
  expect(await findContradictions(deployment.observer, load.scopes)).toEqual([]);
});

test('every other answer was a documented 503 with Retry-After, or the cut of a killed gateway', () => {
  expect(ledger.surprises).toEqual([]);
});
