import { newId } from '@continuity/kernel/text';
import { waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Deployment, openDeployment, silence } from './deployment.ts';

let deployment: Deployment;

beforeEach(async () => {
  deployment = await openDeployment();
});

afterEach(() => deployment.close());

/** Writes a job of the test's tenant, as if before the clock of the database was set back by an hour. */
async function insertJob(status: 'queued' | 'running', workerId: string | null): Promise<string> {
  const jobId = newId();
  await deployment.database.pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, status, attempt, worker_id, started_at, enqueued_at)
     VALUES ($1, $2, 'memory-flush', 'flush_memory', 'scope', 'group', '{"scope_id":"scope"}', $3, 1, $4, now() + interval '1 hour',
       now() + interval '1 hour')`,
    [deployment.tenants[0], jobId, status, workerId],
  );
  return jobId;
}

const hasEnded = async (jobId: string) => {
  const rows = await deployment.jobRows();
  return rows.some(({ job_id, status }) => job_id === jobId && status === 'succeeded');
};

it('a worker that died before the clock was set back loses its jobs and serves no request', async () => {
  const dead = newId();
  await deployment.database.pool.query(
    "INSERT INTO workers (worker_id, queues, seen_at) VALUES ($1, '{memory-flush}', now() + interval '1 hour')",
    [dead],
  );
  const gateway = await deployment.gateway();
  await expect(gateway.submit(deployment.job())).rejects.toMatchObject({ code: 'worker_unavailable' });
  const jobId = await insertJob('running', dead);
  await deployment.worker();
  await waitUntil(() => hasEnded(jobId));
});

it('a job that the queue lost before the clock was set back is added again', async () => {
  const jobId = await insertJob('queued', null);
  await deployment.worker();
  await waitUntil(() => hasEnded(jobId));
});

it('a live worker serves again at its next heartbeat after the clock was set ahead', async () => {
  const worker = await deployment.worker();
  await silence(deployment.database, worker.workerId);
  const gateway = await deployment.gateway();
  await waitUntil(() =>
    gateway.submit(deployment.job()).then(
      () => true,
      () => false,
    ),
  );
  expect(await deployment.effects()).toHaveLength(1);
});
