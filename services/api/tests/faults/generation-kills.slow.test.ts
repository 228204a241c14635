import { type RunningProcess, startInferenceStub, waitUntil } from '@continuity/testing';
import { expect, test } from 'vitest';
import { generationCalls, retro, selectCandidates, sourceOf } from '../support/generation.ts';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';
import { runWorkerProcess, startWorkerProcess } from '../support/worker-process.ts';

const proposal = {
  situation: 'Checkout timed out.',
  action: 'The pool was raised.',
  outcome: 'It took eleven minutes.',
  lesson: 'Alert on pool use.',
};

/** While the model thinks, and at several moments after its answer: when the worker checks and commits. In milliseconds. */
const killAfterAnswerMs = [null, null, 0, 1, 2, 4, 7, 11, 16, 25];

/** Limit of the start of a worker on a busy machine. */
const startMs = 180_000;

test('spec 40 §2.1.3: a worker that is killed at ten points of a generation leaves exactly one Candidate', async () => {
  const stub = await startInferenceStub();
  const model = { INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: stub.url };
  const service = await startService({ environment: model });
  const calls = generationCalls(service);
  const settings = { ...model, WORKER_QUEUES: 'candidate-generation' };
  const workers: RunningProcess[] = [];
  const candidates = () => query(service.databaseUrl, selectCandidates);
  const isUnfinished = async () =>
    (await query(service.databaseUrl, "SELECT FROM jobs WHERE status IN ('queued', 'running')")).length > 0;
  try {
    const scope = freshScope();
    await capture(service, scope, 's1', retro);
    const answers: (() => void)[] = [];
    stub.respondWith(async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return { content: JSON.stringify({ proposal }) };
    });
    workers.push(await startWorkerProcess(service, settings));
    const first = calls.experience(scope, [sourceOf('s1')]);
    let asked = 0;
    for (const delayMs of killAfterAnswerMs) {
      await waitUntil(async () => answers.length > asked || (asked > 0 && !(await isUnfinished())), {
        timeoutMs: startMs,
        what: 'the model is asked by the next worker',
      });
      asked = answers.length;
      if (delayMs !== null) {
        answers.at(-1)?.();
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
      const worker = workers.at(-1);
      worker?.kill('SIGKILL');
      await worker?.exited;
      // The dead worker counts as lost at once. The next one needs no readiness: its sweep finds the job.
      await query(service.databaseUrl, 'DELETE FROM workers');
      workers.push(runWorkerProcess(service, settings));
    }
    stub.respondWith(() => ({ content: JSON.stringify({ proposal }) }));
    for (const answer of answers) answer();
    await waitUntil(async () => !(await isUnfinished()), { timeoutMs: startMs });
    // The caller may have run out of time: the same request then takes the Candidate.
    await first;
    const again = await calls.experience(scope, [sourceOf('s1')]);
    expect(again.body).toMatchObject({ status: 'pending', candidate: { proposal, version: 1 } });
    expect(await candidates()).toHaveLength(1);
  } finally {
    for (const worker of workers) await worker[Symbol.asyncDispose]();
    await service.stop();
    await stub.close();
  }
});
