import {
  type InferenceStub,
  type RunningProcess,
  startInferenceStub,
  underLoad,
  waitUntil,
} from '@continuity/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { generationCalls, retro, selectCandidates, sourceOf } from '../support/generation.ts';
import { freshScope } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const proposal = {
  situation: 'Checkout timed out.',
  action: 'The pool was raised.',
  outcome: 'It took eleven minutes.',
  lesson: 'Alert on pool use.',
};

let stub: InferenceStub;
let service: TestService;
let calls: ReturnType<typeof generationCalls>;
const workers: RunningProcess[] = [];

beforeAll(async () => {
  stub = await startInferenceStub();
  service = await startService({
    environment: { INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: stub.url },
  });
  calls = generationCalls(service);
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker[Symbol.asyncDispose]();
});

afterAll(async () => {
  await service.stop();
  await stub.close();
});

async function startWorker(environment: Record<string, string> = {}): Promise<RunningProcess> {
  const model = { INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: stub.url };
  const worker = await startWorkerProcess(service, {
    ...model,
    WORKER_QUEUES: 'candidate-generation',
    ...environment,
  });
  workers.push(worker);
  return worker;
}

async function kill(worker: RunningProcess): Promise<void> {
  worker.kill('SIGKILL');
  await worker.exited;
}

/** The dead worker counts as lost at once, and its jobs run on another one. */
const forgetWorkers = () => query(service.databaseUrl, 'DELETE FROM workers');

const candidates = () => query(service.databaseUrl, selectCandidates);

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
  await kill(worker);
  await forgetWorkers();
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
