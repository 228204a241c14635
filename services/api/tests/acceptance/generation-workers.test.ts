import { underLoad, waitUntil } from '@continuity/testing';
import { afterAll, afterEach, expect, test } from 'vitest';
import { proposal, startGeneratingService } from '../support/generating-service.ts';
import { retro, sourceOf } from '../support/generation.ts';
import { freshScope } from '../support/memory.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const { stub, service, calls, startWorker, loseWorker, candidates, endWorkers, stop } =
  await startGeneratingService();

afterEach(endWorkers);

afterAll(stop);

test('spec 40 scenario 15: without a worker it is 503 at once, and nothing appears when one starts later; what is pending is answered', async () => {
  const scope = freshScope();
  await capture(service, scope, 's1', retro);
  const begun = performance.now();
  const refused = await calls.experience(scope, [sourceOf('s1')]);
  expect(performance.now() - begun).toBeLessThan(underLoad(2_000));
  expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
    503,
    'worker_unavailable',
    { queue: 'candidate-generation' },
  ]);
  stub.respondWith(() => ({ content: JSON.stringify({ proposal }) }));
  const worker = await startWorker();
  expect(await candidates()).toEqual([]);
  const made = await calls.experience(scope, [sourceOf('s1')]);
  await loseWorker(worker);
  // A request that the gateway still queues would wait for a worker that never comes.
  await waitUntil(async () => {
    const { checks } = (await service.call('get_readiness')).body;
    return checks['worker.candidate-generation'] === 'unavailable';
  });
  const other = await calls.skill(scope, 'source', [sourceOf('s1')]);
  expect(other.error?.code).toBe('worker_unavailable');
  const again = await calls.experience(scope, [sourceOf('s1')]);
  expect([again.status, again.body]).toEqual([200, made.body]);
});

test('spec 40 §2.3: a task outcome that the model never reads is passed over, visibly', async () => {
  const scope = freshScope();
  const outcome = {
    objective: 'Raise the pool.',
    status: 'succeeded' as const,
    summary: 'The pool was raised.',
    observations: [{ text: 'The limit was thirty.' }],
  };
  await service.call('record_task_outcome', { body: { scope_id: scope, source_id: 'bad', outcome } });
  stub.respondWith(() => ({ content: 'No experience today.' }));
  await startWorker({ EXPERIENCE_INCUBATION: 'on', EXPERIENCE_INCUBATION_INTERVAL_MS: '100' });
  const parked = () =>
    query<{ reason: string }>(
      service.databaseUrl,
      "SELECT reason FROM parked_sources WHERE reason = 'incubation'",
    );
  // Each try waits for its due time: make it due at once.
  await waitUntil(async () => {
    await query(
      service.databaseUrl,
      'UPDATE source_sequences SET incubation_due_at = now() WHERE incubation_due_at IS NOT NULL',
    );
    return (await parked()).length === 1;
  });
  expect(await parked()).toEqual([{ reason: 'incubation' }]);
});
