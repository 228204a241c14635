import type { JobStatus } from '@continuity/contract';
import { serviceError } from '@continuity/kernel/errors';
import { newId } from '@continuity/kernel/text';
import { type ReadResult, replayFailedJobs } from '@continuity/shared/jobs';
import { hasRedis, testBackend, underLoad, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { adaptStatements, type Deployment, echo, gate, openDeployment } from './deployment.ts';

let deployment: Deployment;
let hold: ReturnType<typeof gate>;
afterEach(() => deployment.close());

const readResult: ReadResult = async (_tenantId, { result }) => result;
const oldest = () => deployment.tenants[0];
const idOf = (row: Record<string, unknown> | undefined) => String(row?.['job_id']);
const statusOf = async (jobId: string) =>
  (await deployment.jobRows()).find((row) => row['job_id'] === jobId)?.['status'];

/** A worker whose jobs wait until the gate opens. `aborted` collects the reasons of aborted runs. */
async function heldWorker(aborted: unknown[] = []) {
  const run = echo(deployment.database);
  await deployment.worker(async (job, context) => {
    context.signal.addEventListener('abort', () => aborted.push(context.signal.reason));
    await hold.opened;
    await run(job, context);
  });
}

/** Writes a job that has ended, and returns its id. */
async function writeEnded(status: JobStatus, change: Record<string, unknown> = {}): Promise<string> {
  const jobId = newId();
  const row = {
    tenant_id: oldest(),
    job_id: jobId,
    queue: 'memory-flush',
    operation: 'flush_memory',
    job_group: jobId,
    request: '{}',
    status,
    error: status === 'failed' ? JSON.stringify(serviceError('inference_timeout').toBody()) : null,
    finished_at: new Date(),
    ...change,
  };
  const names = Object.keys(row);
  await deployment.database.pool.query(
    `INSERT INTO jobs (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
  return jobId;
}

describe(`with the queue in ${testBackend()}`, () => {
  beforeEach(async () => {
    deployment = await openDeployment();
    hold = gate();
  });

  it('spec 00 §8.2: a cancelled running job is aborted within 10 s, its effects are refused, and its group goes on', async () => {
    const aborted: unknown[] = [];
    await heldWorker(aborted);
    const gateway = await deployment.gateway();
    const submit = () =>
      gateway.submit(deployment.job({ coalesces: 'until-ended' })).catch((error: unknown) => error);
    const oldestRow = async () => (await deployment.jobRows())[0];
    const first = submit();
    await waitUntil(async () => (await oldestRow())?.['status'] === 'running');
    const awaitedUntil = Number((await oldestRow())?.['awaited_until']);
    const answers = [first, submit()];
    // The second request waits for the same job.
    await waitUntil(async () => Number((await oldestRow())?.['awaited_until']) > awaitedUntil);
    const next = gateway.submit(deployment.job({ request: 'next' }));
    const [row] = await deployment.jobRows();
    const jobId = idOf(row);
    const begun = performance.now();
    const job = await gateway.cancel(oldest(), jobId, readResult);
    expect(job).toMatchObject({
      summary: { status: 'cancelled', error: { code: 'job_cancelled' } },
      result: null,
    });
    for (const answer of answers) {
      expect(await answer).toMatchObject({ code: 'job_cancelled', status: 409, details: { job_id: jobId } });
    }
    await waitUntil(() => aborted.length === 1, { timeoutMs: underLoad(10_000) });
    expect(performance.now() - begun).toBeLessThan(underLoad(10_000));
    expect(aborted).toMatchObject([{ name: 'JobLostError' }]);
    hold.open();
    expect(await next).toEqual({ echo: 'next', attempt: 1 });
    await waitUntil(() => deployment.events.some(({ event }) => event === 'cancelled'));
    expect(await statusOf(jobId)).toBe('cancelled');
    expect(await deployment.effects()).toHaveLength(1);
  });

  it('spec 00 §8.3: a retry has fresh attempts, and a run from before it writes nothing', async () => {
    await heldWorker();
    const gateway = await deployment.gateway();
    const { job_id: jobId } = await gateway.submitAsync(deployment.job());
    await waitUntil(async () => (await statusOf(jobId)) === 'running');
    await gateway.cancel(oldest(), jobId, readResult);
    await deployment.database.pool.query('UPDATE jobs SET lost_workers = 9');
    const outcomes = await Promise.allSettled([1, 2].map(() => gateway.retry(oldest(), jobId)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'job_conflict', status: 409 },
    });
    await waitUntil(async () => (await deployment.jobRows())[0]?.['attempt'] === 2);
    expect(await deployment.jobRows()).toMatchObject([{ lost_workers: 0, error: null, finished_at: null }]);
    hold.open();
    await waitUntil(async () => (await statusOf(jobId)) === 'succeeded');
    await waitUntil(() => deployment.events.filter(({ event }) => event !== 'claimed').length === 2);
    expect(await deployment.effects()).toEqual([{ job_id: jobId, attempt: 2 }]);
  });

  it('spec 00 §8.3: a caller who waits for a job that is cancelled and retried at once gets the result', async () => {
    await heldWorker();
    const delivery = gate();
    const slow = await deployment.gateway({
      adapt: (database) =>
        adaptStatements(database, async (name, ask) => {
          if (name === 'jobs_deliver') await delivery.opened;
          return await ask();
        }),
    });
    const answer = slow.submit(deployment.job());
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');
    const jobId = idOf((await deployment.jobRows())[0]);
    const gateway = await deployment.gateway();
    await gateway.cancel(oldest(), jobId, readResult);
    await gateway.retry(oldest(), jobId);
    delivery.open();
    hold.open();
    expect(await answer).toMatchObject({ echo: deployment.job().request });
    expect(await deployment.effects()).toHaveLength(1);
  });

  it('spec 00 §8.4: a replay queues the matching failed jobs of all tenants, and workers run them', async () => {
    await deployment.worker();
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
    const other = deployment.tenants[1];
    const old = [
      await writeEnded('failed', { finished_at: hoursAgo }),
      await writeEnded('failed', { finished_at: hoursAgo, tenant_id: other }),
    ];
    const young = await writeEnded('failed');
    const elsewhere = await writeEnded('failed', { queue: 'candidate-generation', finished_at: hoursAgo });
    const cancelled = await writeEnded('cancelled', { finished_at: hoursAgo });
    const { sql } = deployment.database;
    const replay = { queue: 'memory-flush', code: 'inference_timeout', olderThanMs: 3_600_000 } as const;
    expect(await replayFailedJobs(sql, { ...replay, code: 'inference_unavailable' }, false)).toBe(0);
    expect(await replayFailedJobs(sql, replay, true)).toBe(2);
    expect(await statusOf(old[0] ?? '')).toBe('failed');
    expect(await replayFailedJobs(sql, replay, false)).toBe(2);
    for (const jobId of old) await waitUntil(async () => (await statusOf(jobId)) === 'succeeded');
    expect([await statusOf(young), await statusOf(elsewhere), await statusOf(cancelled)]).toEqual([
      'failed',
      'failed',
      'cancelled',
    ]);
  });
});

describe('a job', () => {
  beforeEach(async () => {
    deployment = await openDeployment();
    hold = gate();
  });

  it('that is queued is cancelled at once, and never runs', async () => {
    await heldWorker();
    const gateway = await deployment.gateway();
    const first = gateway.submit(deployment.job());
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');
    const { job_id: jobId } = await gateway.submitAsync(deployment.job({ request: 'second' }));
    const job = await gateway.cancel(oldest(), jobId, readResult);
    expect(job.summary).toMatchObject({ status: 'cancelled', started_at: null });
    expect(job.summary.finished_at).not.toBeNull();
    expect(await gateway.cancel(oldest(), jobId, readResult)).toEqual(job);
    hold.open();
    await first;
    expect(await deployment.effects()).toHaveLength(1);
  });

  it('that is cancelled while it ends has either succeeded with its effect, or been cancelled without one', async () => {
    await deployment.worker();
    const gateway = await deployment.gateway();
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const { job_id } = await gateway.submitAsync(
          deployment.job({ group: `group ${index}`, request: { index } }),
        );
        await gateway.cancel(oldest(), job_id, readResult).catch((error) => {
          expect(error).toMatchObject({ code: 'job_conflict', details: { status: 'succeeded' } });
        });
        return job_id;
      }),
    );
    await waitUntil(async () =>
      (await deployment.jobRows()).every(({ status }) => status !== 'queued' && status !== 'running'),
    );
    const effects = new Set((await deployment.effects()).map(({ job_id }) => job_id));
    for (const jobId of ids) {
      expect(await statusOf(jobId)).toBe(effects.has(jobId) ? 'succeeded' : 'cancelled');
    }
  });

  it('is replayed also where the clock of the operator is behind', async () => {
    await writeEnded('failed');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const { sql } = deployment.database;
    expect(await replayFailedJobs(sql, { queue: 'memory-flush' }, true)).toBe(1);
  });

  it('of another tenant, or of none, is not found', async () => {
    const jobId = await writeEnded('failed');
    await deployment.worker();
    const gateway = await deployment.gateway();
    for (const [tenant, id] of [
      [deployment.tenants[1], jobId],
      [oldest(), newId()],
      [oldest(), 'no id'],
    ] as const) {
      await expect(gateway.cancel(tenant, id, readResult)).rejects.toMatchObject({ code: 'job_not_found' });
      await expect(gateway.retry(tenant, id)).rejects.toMatchObject({ code: 'job_not_found' });
    }
  });

  it('whose work another unfinished job does cannot be retried, nor replayed', async () => {
    const work_key = Buffer.alloc(32, 'a');
    const failed = [await writeEnded('failed', { work_key }), await writeEnded('failed', { work_key })];
    await heldWorker();
    const gateway = await deployment.gateway();
    await gateway.retry(oldest(), failed[0] ?? '');
    await expect(gateway.retry(oldest(), failed[1] ?? '')).rejects.toMatchObject({
      code: 'job_conflict',
      details: { status: 'failed' },
    });
    const { sql } = deployment.database;
    expect(await replayFailedJobs(sql, { queue: 'memory-flush' }, false)).toBe(0);
    await gateway.cancel(oldest(), failed[0] ?? '', readResult);
    await writeEnded('failed', { work_key });
    expect(await replayFailedJobs(sql, { queue: 'memory-flush' }, false)).toBe(1);
    hold.open();
  });

  it('that failed is kept for 14 days, any other for one', async () => {
    const daysAgo = (days: number) => ({ finished_at: new Date(Date.now() - days * 86_400_000) });
    const kept = [
      await writeEnded('failed', daysAgo(13.9)),
      await writeEnded('succeeded', daysAgo(0.9)),
      await writeEnded('cancelled', daysAgo(0.9)),
    ];
    await writeEnded('failed', daysAgo(14.1));
    await writeEnded('succeeded', daysAgo(1.1));
    await writeEnded('cancelled', daysAgo(1.1));
    await deployment.worker();
    await waitUntil(async () => (await deployment.jobRows()).length <= kept.length);
    expect((await deployment.jobRows()).map(idOf)).toEqual(kept.toSorted());
  });

  it('that was cancelled is not joined by an equal request, which gets a job of its own', async () => {
    await heldWorker();
    const gateway = await deployment.gateway();
    const { job_id } = await gateway.submitAsync(deployment.job({ coalesces: 'until-ended' }));
    await gateway.cancel(oldest(), job_id, readResult);
    hold.open();
    expect(await gateway.submit(deployment.job({ coalesces: 'until-ended' }))).toMatchObject({ attempt: 1 });
    expect(await deployment.jobRows()).toHaveLength(2);
  });
});

it.skipIf(!hasRedis())(
  'a job is not retried without a worker or a queue store, and stays as it was',
  async () => {
    deployment = await openDeployment('redis');
    const jobId = await writeEnded('failed');
    const before = await deployment.jobRows();
    const gateway = await deployment.gateway();
    await expect(gateway.retry(oldest(), jobId)).rejects.toMatchObject({ code: 'worker_unavailable' });
    await deployment.redis?.stop();
    await waitUntil(async () => (await gateway.checkStore()) === 'unavailable');
    await expect(gateway.retry(oldest(), jobId)).rejects.toMatchObject({
      code: 'queue_unavailable',
      details: {},
    });
    expect(await deployment.jobRows()).toEqual(before);
  },
);
