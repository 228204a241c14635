import { waitUntil } from '@continuity/testing';
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

test('spec 40 scenario 14: a worker that is killed while it generates leaves one Candidate to the next worker', async () => {
  const before = (await candidates()).length;
  const scope = freshScope();
  await capture(service, scope, 's1', retro);
  stub.respondWith(() => ({ hang: true }));
  const asked = stub.requests.length;
  const worker = await startWorker();
  const answer = calls.experience(scope, [sourceOf('s1')]);
  await waitUntil(() => stub.requests.length > asked);
  stub.respondWith(() => ({ content: JSON.stringify({ proposal }) }));
  await loseWorker(worker);
  await startWorker();
  const first = await answer;
  expect(first.body).toMatchObject({ status: 'pending', candidate: { proposal, version: 1 } });
  expect((await calls.experience(scope, [sourceOf('s1')])).body).toEqual(first.body);
  expect(await candidates()).toHaveLength(before + 1);
});

test('spec 40 scenario 47: incubation makes one Candidate of a task outcome, also if its worker is killed before the commit', async () => {
  const scope = freshScope();
  const before = (await candidates()).length;
  await capture(service, scope, 'by-hand', retro);
  await service.call('capture_content_source', {
    body: { scope_id: scope, source_id: 'kind', content: retro, metadata: { kind: 'task-outcome' } },
  });
  const outcome = {
    objective: 'Raise the pool.',
    status: 'succeeded' as const,
    summary: 'The pool was raised.',
    observations: [{ text: 'The limit was thirty.' }],
  };
  await service.call('record_task_outcome', { body: { scope_id: scope, source_id: 'done', outcome } });
  stub.respondWith(() => ({ hang: true }));
  const asked = stub.requests.length;
  const on = { EXPERIENCE_INCUBATION: 'on', EXPERIENCE_INCUBATION_INTERVAL_MS: '100' };
  const worker = await startWorker(on);
  await waitUntil(() => stub.requests.length > asked);
  stub.respondWith(() => ({
    content: JSON.stringify({
      experiences: [
        { ...proposal, evidence: [1] },
        { ...proposal, evidence: [1] },
      ],
    }),
  }));
  await loseWorker(worker);
  await startWorker(on);
  await waitUntil(async () => (await candidates()).length > before);
  const rows = await query<{ source_refs: unknown; origin: string; work_key: unknown }>(
    service.databaseUrl,
    `SELECT source_refs, origin, work_key FROM candidates JOIN candidate_versions USING (tenant_id, candidate_id)
     WHERE origin = 'incubated'`,
  );
  expect(rows).toEqual([{ source_refs: [sourceOf('done')], origin: 'incubated', work_key: null }]);
  const state = 'SELECT incubation_due_at FROM source_sequences WHERE incubation_cursor = 3';
  expect(await query(service.databaseUrl, state)).toEqual([{ incubation_due_at: null }]);
});
