import { operations, successesOf } from '@continuity/contract/operations';
import { readAnswer, waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { expectError } from '../support/envelope.ts';
import { Places } from './support/places.ts';
import { provocations, provokeSuccess } from './support/provocations.ts';

const places = new Places();

afterAll(() => places.stop());

const queued = operations.filter(({ run }) => run === 'job');
const steered = new Set(['get_job', 'cancel_job', 'retry_job']);
const direct = operations.filter(
  ({ id, run, auth }) => run === 'direct' && auth !== 'public' && !steered.has(id),
);

const jobOf = (json: unknown) => (json as { job_id: string }).job_id;

test.each(queued.filter(({ waitsAlways }) => !waitsAlways))(
  'spec 00 §7: $id with Prefer: respond-async is a job, whose result is the answer of the operation',
  async (operation) => {
    const client = await places.get('usual');
    const { status, headers, json } = await provokeSuccess(client, operation, 202);
    expect([status, headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    const params = { job_id: jobOf(json) };
    expect(headers.get('location')).toBe(`/v1/jobs/${params.job_id}`);
    const read = async () => (await client.call('get_job', { params })).body;
    await waitUntil(async () => (await read()).status === 'succeeded');
    const job = await read();
    expect(job).toMatchObject({ operation: operation.id, error: null });
    const reply = { status: operation.status, headers, text: '', json: job.result };
    expect(readAnswer(operation, reply).body).toBeDefined();
  },
);

test.each(queued.filter(({ waitsAlways }) => waitsAlways))(
  '$id waits for its job whatever the caller prefers, as it says',
  async (operation) => {
    expect(successesOf(operation).map(({ status }) => status)).not.toContain(202);
    const reply = await provokeSuccess(await places.get('usual'), operation, 202);
    expect(reply.status).toBe(operation.status);
  },
);

test.each(direct)(
  'spec 00 §7: $id succeeds without a worker and without the queue store',
  async (operation) => {
    const reply = await provokeSuccess(
      await places.get('withoutQueueAndWorkers'),
      operation,
      operation.status,
    );
    expect(reply.status, reply.text).toBe(operation.status);
  },
);

test.each(queued)(
  'spec 00 §7: $id is 503 without a worker or the queue store, and writes nothing',
  async (operation) => {
    for (const code of ['worker_unavailable', 'queue_unavailable'] as const) {
      const place = await places.get(code === 'worker_unavailable' ? 'withoutWorkers' : 'withoutQueue');
      const count = async () => (await place.call('list_jobs')).body.items.length;
      const before = await count();
      const reply = await provocations[code]?.(places, operation);
      if (reply === undefined) throw new Error(`Nothing provokes ${code}.`);
      expectError(reply, 503, code);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await count()).toBe(before);
    }
  },
);
