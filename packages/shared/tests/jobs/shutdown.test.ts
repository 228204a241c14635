import { hasRedis, testBackend, waitUntil, watchResources } from '@continuity/testing';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Deployment, echo, endWithEffect, gate, openDeployment } from './deployment.ts';

describe(`with the queue in ${testBackend()}`, () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = await openDeployment();
  });
  afterEach(() => deployment.close());

  it('closes every connection, and stopping twice is safe', async () => {
    const redis = deployment.redis && new Redis(deployment.redis.url);
    const redisClients = async () => String(await redis?.client('LIST')).split('\n').length;
    const before = await redisClients();
    const resources = watchResources();
    const worker = await deployment.worker();
    const gateway = await deployment.gateway();
    await gateway.submit(deployment.job());
    expect(await deployment.connections()).toBeGreaterThan(0);

    await Promise.all([worker.stop(), worker.stop()]);
    await worker.stop();
    await gateway.close();
    await gateway.close();
    expect(worker.isReady()).toBe(false);
    expect((await deployment.database.pool.query('SELECT FROM workers')).rowCount).toBe(0);
    await deployment.closeProcesses();

    await waitUntil(async () => (await deployment.connections()) === 0);
    await waitUntil(async () => (await redisClients()) === before);
    redis?.disconnect();
    expect(await resources.leaked()).toEqual([]);
  });

  it('a running job can end within the grace period', async () => {
    const hold = gate();
    const run = echo(deployment.database);
    const worker = await deployment.worker(async (job, context) => {
      await hold.opened;
      await run(job, context);
    });
    const gateway = await deployment.gateway();
    const answer = gateway.submit(deployment.job());
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');

    const stopped = worker.stop();
    hold.open();
    await stopped;
    expect(await answer).toMatchObject({ attempt: 1 });
  });

  it('a job that exceeds the grace period is requeued for another worker', async () => {
    const hold = gate();
    const told = gate();
    const worker = await deployment.worker(
      async (job, { signal }) => {
        signal.addEventListener('abort', told.open);
        await hold.opened;
        await endWithEffect(deployment.database, job, 'late');
      },
      { graceMs: 100 },
    );
    const gateway = await deployment.gateway();
    const answer = gateway.submit(deployment.job());
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');

    await worker.stop();
    await told.opened;
    expect(await deployment.jobRows()).toMatchObject([{ status: 'queued', attempt: 1, worker_id: null }]);
    hold.open();
    await deployment.worker();

    expect(await answer).toMatchObject({ attempt: 2 });
    expect(await deployment.effects()).toMatchObject([{ attempt: 2 }]);
  });
});

describe.skipIf(!hasRedis())('with the queue store down', () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = await openDeployment('redis');
  });
  afterEach(() => deployment.close());

  it('a worker starts, works after the store comes up, and stops after it goes down', async () => {
    await deployment.redis?.stop();
    const resources = watchResources();
    const worker = await deployment.worker();
    expect(worker.isReady()).toBe(false);
    await deployment.redis?.start();
    await waitUntil(() => worker.isReady());
    const gateway = await deployment.gateway();
    await waitUntil(async () => (await gateway.liveQueues()).has('memory-flush'));
    expect(await gateway.submit(deployment.job())).toMatchObject({ attempt: 1 });

    await deployment.redis?.kill();
    await worker.stop();
    await deployment.closeProcesses();
    // Connections are back to where they were. A timer may stay: BullMQ pauses five seconds after each failed look for
    // stalled jobs, and goes on with that after it was closed.
    const isOurs = (kind: string) => kind !== 'Timeout';
    expect((await resources.leaked(8_000)).filter(isOurs)).toEqual([]);
  });
});

describe('a gateway that closes', () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = await openDeployment();
  });
  afterEach(() => deployment.close());

  it('answers its waiting requests with job_timeout, and the next gateway delivers the result', async () => {
    const hold = gate();
    const run = echo(deployment.database);
    await deployment.worker(async (job, context) => {
      await hold.opened;
      await run(job, context);
    });
    const gateway = await deployment.gateway();
    const answer = gateway.submit(deployment.job()).catch((error) => error);
    await waitUntil(async () => (await deployment.jobRows())[0]?.['status'] === 'running');
    await gateway.close();
    expect(await answer).toMatchObject({ code: 'job_timeout' });

    const next = (await deployment.gateway()).submit(deployment.job());
    hold.open();
    expect(await next).toMatchObject({ attempt: 1 });
    expect(await deployment.jobRows()).toHaveLength(1);
  });
});
