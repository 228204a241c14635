import { openConsumer, type QueueEntry } from '@continuity/kernel/queue';
import { newId } from '@continuity/kernel/text';
import { runProcess, testBackend, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '../../src/jobs/sweep.ts';
import {
  beginLong,
  type Deployment,
  echo,
  endWithEffect,
  gate,
  lockWaits,
  logger,
  openDeployment,
  silence,
} from './deployment.ts';

describe(`with the queue in ${testBackend()}`, () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = await openDeployment();
  });
  afterEach(() => deployment.close());

  it('the job of a killed worker runs again on another worker, with one effect and one result', async () => {
    await using killed = runProcess(['packages/shared/tests/jobs/slow-worker.ts'], {
      DATABASE_URL: deployment.store.databaseUrl,
      REDIS_URL: deployment.store.redisUrl ?? '',
    });
    const workerId = (await killed.waitForLine('working as')).slice('working as '.length);
    const gateway = await deployment.gateway();
    const answer = gateway.submit(deployment.job());
    await killed.waitForLine('in the middle');
    await deployment.worker();

    killed.kill('SIGKILL');
    await killed.exited;
    await silence(deployment.database, workerId);

    expect(await answer).toEqual({ echo: { scope_id: 'scope' }, attempt: 2 });
    expect(await deployment.effects()).toMatchObject([{ attempt: 2 }]);
    await waitUntil(() => deployment.events.length === 3);
    expect(deployment.events.map(({ event }) => event)).toEqual(['requeued', 'claimed', 'succeeded']);
  });

  it('a job that a worker dequeued and never claimed runs on another worker', async () => {
    const [taken, released] = [gate(), gate()];
    const dead = openConsumer({
      store: deployment.store,
      queue: deployment.job(),
      concurrency: 1,
      process: async () => {
        taken.open();
        await released.opened;
        return true;
      },
      onUnknown: () => {},
      onError: () => {},
    });
    await deployment.database.pool.query('INSERT INTO workers VALUES ($1, $2)', [newId(), ['memory-flush']]);
    const gateway = await deployment.gateway();
    const answer = gateway.submit(deployment.job());
    await taken.opened;
    try {
      await deployment.worker();
      expect(await answer).toEqual({ echo: { scope_id: 'scope' }, attempt: 1 });
    } finally {
      released.open();
      await dead.close();
    }
  });

  it('a starting worker sends a heartbeat before it takes a job', async () => {
    await deployment.database.pool.query('INSERT INTO workers VALUES ($1, $2)', [newId(), ['memory-flush']]);
    const gateway = await deployment.gateway();
    const answer = gateway.submit(deployment.job());
    await waitUntil(async () => (await deployment.jobRows()).length === 1);
    const outside = await deployment.database.pool.connect();
    await outside.query(beginLong);
    await outside.query('LOCK TABLE workers IN EXCLUSIVE MODE');

    const run = echo(deployment.database);
    const starting = deployment.worker(async (job, context) => {
      const known = await deployment.database.pool.query(
        'SELECT FROM workers JOIN jobs USING (worker_id) WHERE job_id = $1',
        [job.jobId],
      );
      if (known.rowCount === 0) throw new Error('Nobody knows of the worker that runs this job.');
      await run(job, context);
    });
    await waitUntil(async () => (await lockWaits(deployment.database)) === 1);
    await outside.query('COMMIT');
    outside.release();
    await starting;

    expect(await answer).toEqual({ echo: { scope_id: 'scope' }, attempt: 1 });
  });

  it('a stalled worker whose job was requeued writes nothing, and its run is aborted', async () => {
    const hold = gate();
    const told: unknown[] = [];
    const stalled = await deployment.worker(async (job, { signal }) => {
      if (job.attempt === 1) {
        signal.addEventListener('abort', () => told.push(signal.reason));
        await hold.opened;
      }
      await endWithEffect(deployment.database, job, { by: job.attempt });
    });
    const gateway = await deployment.gateway();
    const answer = gateway.submit(deployment.job());
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');
    await waitUntil(async () => {
      await silence(deployment.database, stalled.workerId);
      return (await deployment.jobRows())[0]?.['attempt'] === 2;
    });

    expect(await answer).toEqual({ by: 2 });
    await waitUntil(() => told.length === 1);
    hold.open();
    await waitUntil(() => deployment.events.some(({ event }) => event === 'lost'));

    expect(told).toMatchObject([{ name: 'JobLostError' }]);
    expect(await deployment.effects()).toMatchObject([{ attempt: 2 }]);
    expect(await deployment.jobRows()).toMatchObject([{ status: 'succeeded', result: { by: 2 } }]);
  });
});

describe('a job', () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = await openDeployment();
  });
  afterEach(() => deployment.close());

  it('whose claim was committed without an answer to the worker is requeued', async () => {
    const worker = await deployment.worker();
    const gateway = await deployment.gateway();
    const { tenantId, queue, operation, group } = deployment.job();
    await deployment.database.pool.query(
      `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, attempt, worker_id, started_at)
       VALUES ($1, '019a9f40-6c00-7000-8000-000000000001', $2, $3, $4, '{}', 'running', 1, $5, now() - interval '11 s')`,
      [tenantId, queue, operation, group, worker.workerId],
    );
    expect(await gateway.submit(deployment.job())).toMatchObject({ attempt: 1 });
    expect(await deployment.effects()).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  });

  it('that is lost in the background is requeued although its group has another job', async () => {
    const hold = gate();
    const run = echo(deployment.database);
    const worker = await deployment.worker(async (job, context) => {
      if (job.attempt === 1 && job.request === 'first') await hold.opened;
      await run(job, context);
    });
    await worker.queueBackground(deployment.job({ request: 'first' }));
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');
    await worker.queueBackground(deployment.job({ request: 'second' }));
    await waitUntil(async () => {
      await silence(deployment.database, worker.workerId);
      return (await deployment.jobRows())[0]?.['attempt'] === 2;
    });
    hold.open();
    await waitUntil(async () => (await deployment.effects()).length === 2);
    const effects = new Map((await deployment.effects()).map(({ job_id, attempt }) => [job_id, attempt]));
    const [first, second] = (await deployment.jobRows()).map(({ job_id }) => effects.get(String(job_id)));
    expect(first).toBeGreaterThanOrEqual(2);
    expect(second).toBeGreaterThanOrEqual(1);
  });

  it('that has lost ten workers alone fails, and its caller gets the error', async () => {
    const gateway = await deployment.gateway();
    const worker = await deployment.worker(async (job) => {
      await deployment.database.pool.query('UPDATE jobs SET lost_workers = 9 WHERE job_id = $1', [job.jobId]);
      await gate().opened;
    });
    const answer = gateway.submit(deployment.job()).catch((error) => error);
    await waitUntil(async () => (await deployment.jobRows())[0]?.['lost_workers'] === 9);
    await waitUntil(async () => {
      await silence(deployment.database, worker.workerId);
      return (await deployment.jobRows())[0]?.['status'] === 'failed';
    });
    expect(await answer).toMatchObject({ code: 'internal_error' });
    await waitUntil(() => deployment.events.length === 2);
    expect(deployment.events.map(({ event }) => event)).toEqual(['claimed', 'failed']);
  });

  it('is deleted a day after its end, as is the row of a dead worker after an hour', async () => {
    await deployment.worker();
    const gateway = await deployment.gateway();
    await gateway.submit(deployment.job({ request: 'old' }));
    await gateway.submit(deployment.job({ request: 'young' }));
    await deployment.database.pool.query(
      `UPDATE jobs SET finished_at = now() - interval '25 hours' WHERE request = '"old"'`,
    );
    await deployment.database.pool.query(
      "INSERT INTO workers VALUES (gen_random_uuid(), '{}', now(), now() - interval '2 hours')",
    );
    await waitUntil(async () => (await deployment.jobRows()).length === 1);
    expect(await deployment.jobRows()).toMatchObject([{ request: 'young' }]);
    await waitUntil(async () => (await deployment.database.pool.query('SELECT FROM workers')).rowCount === 1);
  });

  it('is deleted an hour after its end if it was a reconcile that did not fail', async () => {
    await deployment.worker();
    await deployment.database.pool.query(
      `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, finished_at)
       SELECT $1, gen_random_uuid(), queue, '', '', to_jsonb(name), status, now() - age
       FROM (VALUES ('old', 'remote-reconcile', 'succeeded', interval '61 minutes'),
         ('cancelled', 'remote-reconcile', 'cancelled', interval '61 minutes'),
         ('young', 'remote-reconcile', 'succeeded', interval '50 minutes'),
         ('failed', 'remote-reconcile', 'failed', interval '61 minutes'),
         ('flush', 'memory-flush', 'succeeded', interval '61 minutes')) AS planted (name, queue, status, age)`,
      [deployment.job().tenantId],
    );
    const left = async () => (await deployment.jobRows()).map(({ request }) => request).toSorted();
    await waitUntil(async () => (await left()).length === 3);
    expect(await left()).toEqual(['failed', 'flush', 'young']);
  });
});

describe('the jobs of a lost worker', () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = await openDeployment();
  });
  afterEach(() => deployment.close());

  const blameOf = async () =>
    (await deployment.jobRows()).map(({ lost_workers, is_suspect, status }) => [
      lost_workers,
      is_suspect,
      status,
    ]);

  /** Loses the worker until its jobs have been requeued, and lets nothing run them again. */
  async function lose(workerId: string, isRequeued: () => Promise<boolean>): Promise<void> {
    await waitUntil(async () => {
      await silence(deployment.database, workerId);
      return isRequeued();
    });
  }

  it('that ran together are suspects, and the loss counts against none; suspects run alone', async () => {
    const holds = [gate(), gate()];
    const alone: number[] = [];
    let running = 0;
    const run = echo(deployment.database);
    const worker = await deployment.worker(async (job, context) => {
      running += 1;
      const isStalled = job.attempt === 1 && job.group !== 'd';
      if (job.attempt > 1) alone.push(running);
      await holds[isStalled ? 0 : 1]?.opened;
      running -= 1;
      await run(job, context);
    });
    const gateway = await deployment.gateway();
    const answers = ['a', 'b', 'c'].map((group) => gateway.submit(deployment.job({ group, request: group })));
    await waitUntil(() => running === 3);
    await lose(worker.workerId, async () => (await blameOf()).every(([, isSuspect]) => isSuspect === true));
    // The stalled runs have lost their jobs, so they hold no suspect back.
    running = 0;
    await waitUntil(() => alone.length === 1);
    expect((await blameOf()).map(([lost]) => lost)).toEqual([0, 0, 0]);
    const late = gateway.submit(deployment.job({ group: 'd', request: 'd' }));
    holds[1]?.open();
    expect(await Promise.all(answers)).toEqual(
      ['a', 'b', 'c'].map((request) => ({ echo: request, attempt: 2 })),
    );
    holds[0]?.open();
    await late;
    expect(alone).toEqual([1, 1, 1]);
  });

  it('count a loss that they had alone, and the second one that they shared; at the limit they fail', async () => {
    const worker = await deployment.worker(() => gate().opened);
    const gateway = await deployment.gateway();
    const failed = gateway.submit(deployment.job({ group: 'a' })).catch((error: unknown) => error);
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');
    await lose(worker.workerId, async () => (await blameOf())[0]?.[0] === 1);
    await waitUntil(async () => (await deployment.jobRows())[0]?.['attempt'] === 2);
    await deployment.database.pool.query('UPDATE jobs SET lost_workers = 9');
    // Another running job of the worker, so that the loss is shared.
    await deployment.database.pool.query(
      `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, attempt, worker_id, started_at)
       SELECT tenant_id, gen_random_uuid(), queue, operation, 'b', '{}', 'running', 1, worker_id, now() FROM jobs`,
    );
    await lose(worker.workerId, async () =>
      (await deployment.jobRows()).some(({ status }) => status === 'failed'),
    );
    expect(await failed).toMatchObject({ code: 'internal_error' });
    const blamed = (await deployment.jobRows()).map(({ job_group, lost_workers }) => [
      job_group,
      lost_workers,
    ]);
    expect(blamed.toSorted()).toEqual([
      ['a', 10],
      ['b', 0],
    ]);
  });
});

it('a job that a frozen process has locked delays no other one in a sweep', async () => {
  const deployment = await openDeployment();
  const { database, tenants } = deployment;
  const [frozen, free] = [newId(), newId()].toSorted();
  await database.pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request)
     SELECT $1, job_id, 'memory-flush', 'flush_memory', job_id::text, '{}' FROM unnest($2::uuid[]) AS job_id`,
    [tenants[0], [frozen, free]],
  );
  const outside = await database.pool.connect();
  const added: string[] = [];
  const producer = {
    // The process freezes after the sweep has chosen the jobs.
    lookUp: async (taken: QueueEntry[]) => {
      await outside.query(beginLong);
      await outside.query('SELECT FROM jobs WHERE job_id = $1 FOR UPDATE', [frozen]);
      return { missing: [], taken };
    },
    add: async (entries: QueueEntry[]) => {
      added.push(...entries.map(({ jobId }) => jobId));
    },
    check: async () => 'ready' as const,
    close: async () => {},
  };
  const options = {
    database,
    producer,
    workerId: newId(),
    running: () => [],
    failedRetentionDays: 14,
    logger,
  };
  const sweeping = sweep({ ...options, onJobEvent: () => {} });
  const isBlocked = waitUntil(async () => (await lockWaits(database)) > 0).then(() => 'blocked');
  isBlocked.catch(() => undefined);
  expect(await Promise.race([sweeping, isBlocked])).toBeUndefined();
  expect(added).toEqual([free]);
  await outside.query('ROLLBACK');
  outside.release();
  await deployment.close();
});
