import { hasRedis, underLoad, waitUntil } from '@continuity/testing';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginLong, type Deployment, echo, gate, openDeployment } from './deployment.ts';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await openDeployment();
});
afterEach(() => deployment.close());

describe('no worker', () => {
  it('is worker_unavailable, and nothing is written', async () => {
    const gateway = await deployment.gateway();
    await expect(gateway.submit(deployment.job())).rejects.toMatchObject({
      code: 'worker_unavailable',
      details: { queue: 'memory-flush' },
    });
    expect(await gateway.liveQueues()).toEqual(new Set());
    expect(await deployment.jobRows()).toEqual([]);
  });

  it('is the answer to new requests while the only worker stops and completes its jobs', async () => {
    const hold = gate();
    const run = echo(deployment.database);
    const worker = await deployment.worker(async (job, context) => {
      await hold.opened;
      await run(job, context);
    });
    const gateway = await deployment.gateway();
    const last = gateway.submit(deployment.job());
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');

    const stopping = worker.stop();
    await waitUntil(async () => !(await gateway.liveQueues()).has('memory-flush'));
    await expect(gateway.submit(deployment.job())).rejects.toMatchObject({ code: 'worker_unavailable' });
    hold.open();

    expect(await last).toMatchObject({ attempt: 1 });
    await stopping;
  });
});

describe.skipIf(!hasRedis())('a queue store that is down', () => {
  it('is queue_unavailable without a write, until it is back', async () => {
    await deployment.worker();
    const gateway = await deployment.gateway();
    expect(await gateway.checkStore()).toBe('ready');
    await deployment.redis?.stop();
    await waitUntil(async () => (await gateway.checkStore()) === 'unavailable');

    await expect(gateway.submit(deployment.job())).rejects.toMatchObject({
      code: 'queue_unavailable',
      details: {},
    });
    expect(await deployment.jobRows()).toEqual([]);

    await deployment.redis?.start();
    await waitUntil(async () => (await gateway.checkStore()) === 'ready');
    expect(await gateway.submit(deployment.job())).toMatchObject({ attempt: 1 });
  });

  it('or hangs is queue_unavailable within seconds, without a write', async () => {
    await deployment.worker();
    const gateway = await deployment.gateway();
    await deployment.redis?.freeze();
    try {
      // The check at the start is cached for a second.
      const state = await waitUntil(async () => {
        const state = await gateway.checkStore();
        return state !== 'ready' && state;
      });
      expect(state).toBe('timeout');
      const begun = performance.now();
      const error = await gateway.submit(deployment.job()).catch((failure) => failure);
      expect(error).toMatchObject({ code: 'queue_unavailable', details: {} });
      expect(performance.now() - begun).toBeLessThan(underLoad(3_500));
      expect(await deployment.jobRows()).toEqual([]);
    } finally {
      await deployment.redis?.wake();
    }
    await waitUntil(async () => (await gateway.checkStore()) === 'ready');
  });

  it('after the commit of a job: the error names the job, and a retry gets its result', async () => {
    await deployment.worker();
    const gateway = await deployment.gateway();
    await gateway.submit(deployment.job({ request: 'before' }));

    const outside = await deployment.database.pool.connect();
    await outside.query(beginLong);
    // What the insert of a job has to wait for: its reference to the tenant.
    await outside.query('SELECT FROM tenants FOR UPDATE');
    const answer = gateway.submit(deployment.job()).catch((error) => error);
    await waitUntil(async () => (await insertsWaiting()) === 1);
    await deployment.redis?.kill();
    await outside.query('COMMIT');
    outside.release();

    const error = await answer;
    const [, row] = await deployment.jobRows();
    expect(error).toMatchObject({ code: 'queue_unavailable', details: { job_id: row?.['job_id'] } });
    expect(row).toMatchObject({ status: 'queued', delivered_at: null });

    await deployment.redis?.start();
    await waitUntil(async () => (await deployment.jobRows())[1]?.['status'] === 'succeeded');
    expect(await gateway.submit(deployment.job())).toMatchObject({ echo: { scope_id: 'scope' }, attempt: 1 });
    expect(await deployment.effects()).toHaveLength(2);
  });

  it('that loses its data while jobs wait loses no job', async () => {
    const hold = gate();
    const run = echo(deployment.database);
    await deployment.worker(async (job, context) => {
      await hold.opened;
      await run(job, context);
    });
    const gateway = await deployment.gateway();
    const asked = Array.from({ length: 60 }, (_, index) => index);
    const answers = Promise.all(
      asked.map((index) =>
        gateway.submit(deployment.job({ group: `group ${index % 30}`, request: { index } })),
      ),
    );
    await waitUntil(async () => {
      const rows = await deployment.jobRows();
      return rows.length === 60 && rows.filter(({ status }) => status === 'running').length === 8;
    });

    const redis = new Redis(deployment.redis?.url ?? '');
    await redis.flushall();
    redis.disconnect();
    hold.open();

    expect(await answers).toEqual(asked.map((index) => ({ echo: { index }, attempt: 1 })));
  });

  it('with foreign data keeps that data', async () => {
    await deployment.worker();
    const gateway = await deployment.gateway();
    const { Queue } = await import('bullmq');
    const queue = new Queue('memory-flush', {
      connection: { url: deployment.redis?.url ?? '' },
      prefix: 'test',
    });
    await queue.add('x', { from: 'elsewhere' });
    await queue.add('x', { tenant_id: 1, job_id: '019a9f40-6c00-7000-8000-000000000001' });

    expect(await gateway.submit(deployment.job())).toMatchObject({ attempt: 1 });
    await waitUntil(async () => (await queue.getJobCountByTypes('waiting', 'active', 'failed')) === 0);
    await queue.close();
  });
});

async function insertsWaiting(): Promise<number> {
  const { rows } = await deployment.database.pool.query(
    `SELECT count(*)::int AS waits FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO jobs%'`,
  );
  return Number(rows[0]?.waits);
}
