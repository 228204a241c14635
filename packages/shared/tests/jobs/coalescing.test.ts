import { serviceError } from '@continuity/kernel/errors';
import { type JobGateway, type NewJob, readJob } from '@continuity/shared/jobs';
import { hasRedis, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adaptStatements, type Deployment, endWithEffect, gate, openDeployment } from './deployment.ts';

let deployment: Deployment;
let hold: ReturnType<typeof gate>;
beforeEach(async () => {
  deployment = await openDeployment();
  hold = gate();
});
afterEach(() => deployment.close());

const shared = (change: Partial<NewJob> = {}): NewJob =>
  deployment.job({ coalesces: 'until-ended', ...change });

/** A worker whose jobs end with `result` when the gate opens. */
const startWorker = (result = 'done') =>
  deployment.worker(async (job) => {
    await hold.opened;
    await endWithEffect(deployment.database, job, result);
  });

const isRunning = async () => (await deployment.jobRows()).some(({ status }) => status === 'running');
const isEnded = async () => (await deployment.jobRows()).every(({ finished_at }) => finished_at !== null);

/** Until the row is awaited for longer than it was: somebody has joined. */
async function joined(work: () => Promise<unknown>): Promise<void> {
  const until = async () => (await deployment.jobRows())[0]?.['awaited_until'] as Date;
  const before = await until();
  await work();
  await waitUntil(async () => (await until()) > before);
}

describe('a shared job (spec 30 §3.3.4)', () => {
  it('runs once for equal concurrent requests on all gateways', async () => {
    await startWorker();
    const gateways = await Promise.all([deployment.gateway(), deployment.gateway()]);
    const all = Array.from({ length: 20 }, (_, index) => gateways[index % 2]?.submitAsync(shared()));
    const ids = (await Promise.all(all)).map((accepted) => accepted?.job_id);
    let answer: Promise<unknown> = Promise.resolve();
    await joined(async () => {
      answer = gateways[0].submit(shared());
    });
    hold.open();

    expect(await answer).toBe('done');
    expect(new Set(ids).size).toBe(1);
    expect(await deployment.jobRows()).toHaveLength(1);
    expect(await deployment.effects()).toHaveLength(1);
  });

  it('is shared while it runs; a request after its end starts a new job', async () => {
    await startWorker();
    const gateway = await deployment.gateway();
    const first = gateway.submit(shared());
    await waitUntil(isRunning);
    let second: Promise<unknown> = Promise.resolve();
    await joined(async () => {
      second = gateway.submit(shared());
    });
    hold.open();

    expect(await Promise.all([first, second])).toEqual(['done', 'done']);
    expect(await deployment.jobRows()).toHaveLength(1);
    await gateway.submit(shared());
    expect(await deployment.jobRows()).toHaveLength(2);
  });

  it('is not shared with another body, another tenant, or a request that does not coalesce', async () => {
    await startWorker();
    const gateway = await deployment.gateway();
    const [, other] = deployment.tenants;
    const all = [
      gateway.submit(shared()),
      gateway.submit(shared({ request: { scope_id: 'scope', more: true } })),
      gateway.submit(shared({ tenantId: other })),
    ];
    await waitUntil(async () => (await deployment.jobRows()).length === 3);
    all.push(gateway.submit(deployment.job()));
    await waitUntil(async () => (await deployment.jobRows()).length === 4);
    hold.open();
    await Promise.all(all);
  });

  it('continues for the other callers if one disconnects', async () => {
    await startWorker();
    const gateway = await deployment.gateway();
    const first = gateway.submit(shared());
    await waitUntil(isRunning);
    const leaving = new AbortController();
    let gone: Promise<unknown> = Promise.resolve();
    await joined(async () => {
      gone = gateway.submit(shared(), leaving.signal).catch(({ name }) => name);
    });
    leaving.abort();
    expect(await gone).toBe('AbortError');
    hold.open();

    expect(await first).toBe('done');
    expect(await gateway.takeUndelivered(shared())).toBeUndefined();
  });

  describe('whose caller at another gateway leaves during the delivery', () => {
    /** A gateway that hears of the end of a job by its poll alone. */
    const openPolling = () => deployment.gateway({ listensAt: 'postgres://localhost:1/none' });

    /** Starts the job for a caller at each gateway; the second one can leave. */
    async function share(gateway: JobGateway, other: JobGateway) {
      await startWorker();
      const first = gateway.submit(shared());
      await waitUntil(isRunning);
      const leaving = new AbortController();
      let second: Promise<unknown> = Promise.resolve();
      await joined(async () => {
        second = other.submit(shared(), leaving.signal).catch(({ name }) => name);
      });
      const leave = async () => {
        leaving.abort();
        expect(await second).toBe('AbortError');
      };
      return { first, leave };
    }

    it('leaves no result behind that another caller has', async () => {
      const [gateway, other] = await Promise.all([deployment.gateway(), openPolling()]);
      const { first, leave } = await share(gateway, other);
      hold.open();
      expect(await first).toBe('done');
      await leave();
      await waitUntil(async () => (await deployment.jobRows())[0]?.['awaited_until'] === null);
      expect(await gateway.takeUndelivered(shared())).toBeUndefined();
    });

    it.each(['before', 'after'])('leaves none if it was delivered %s the first one', async (order) => {
      const [fetched, held] = [gate(), gate()];
      const other = await deployment.gateway({
        adapt: (database) =>
          adaptStatements(database, async (name, ask) => {
            if (name !== 'jobs_deliver' || !(await isEnded())) return await ask();
            const early = order === 'before' ? await ask() : undefined;
            fetched.open();
            await held.opened;
            return early ?? (await ask());
          }),
      });
      const gateway = order === 'before' ? await openPolling() : await deployment.gateway();
      const { first, leave } = await share(gateway, other);
      hold.open();
      await fetched.opened;
      expect(await first).toBe('done');
      await leave();
      held.open();
      await other.close();
      expect(await gateway.takeUndelivered(shared())).toBeUndefined();
    });
  });

  it('fails for all callers that share it', async () => {
    await deployment.worker(async () => {
      await hold.opened;
      throw serviceError('inference_timeout', { message: 'The model did not answer in time.' });
    });
    const gateway = await deployment.gateway();
    const requests = [gateway.submit(shared())];
    await waitUntil(isRunning);
    await joined(async () => {
      requests.push(gateway.submit(shared()));
    });
    hold.open();
    for (const outcome of await Promise.allSettled(requests))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'inference_timeout' } });
    expect(await deployment.jobRows()).toHaveLength(1);
  });

  it('returns its id to an asynchronous caller and its result to a waiting one', async () => {
    await startWorker();
    const gateway = await deployment.gateway();
    const waiting = gateway.submit(shared());
    await waitUntil(isRunning);
    const accepted = await gateway.submitAsync(shared());
    hold.open();

    expect(await waiting).toBe('done');
    const [row] = await deployment.jobRows();
    expect(accepted.job_id).toBe(row?.['job_id']);
    const { sql } = deployment.database;
    expect((await readJob(sql, deployment.tenants[0], accepted.job_id)).result).toBe('"done"');
  });

  it('stays delivered by its id if a later caller reaches its time limit', async () => {
    await startWorker();
    const gateway = await deployment.gateway({ waitMs: 300 });
    await gateway.submitAsync(shared());
    await waitUntil(isRunning);
    await expect(gateway.submit(shared())).rejects.toMatchObject({ code: 'job_timeout' });
    hold.open();
    await waitUntil(isEnded);
    expect(await gateway.takeUndelivered(shared())).toBeUndefined();
  });
});

describe('a result that no caller received', () => {
  const leave = async (job: NewJob): Promise<JobGateway> => {
    const gateway = await deployment.gateway({ waitMs: 300 });
    await expect(gateway.submit(job)).rejects.toMatchObject({ code: 'job_timeout' });
    hold.open();
    await waitUntil(isEnded);
    return gateway;
  };

  it.skipIf(!hasRedis())(
    'is delivered once, to an equal request only, without worker and queue',
    async () => {
      const worker = await startWorker('left');
      const gateway = await leave(shared());
      await worker.stop();
      await deployment.redis?.stop();

      expect(await gateway.takeUndelivered(shared({ request: { other: true } }))).toBeUndefined();
      expect(await gateway.takeUndelivered(shared({ tenantId: deployment.tenants[1] }))).toBeUndefined();
      expect((await gateway.takeUndelivered(shared()))?.result).toBe('left');
      expect(await gateway.takeUndelivered(shared())).toBeUndefined();
    },
  );

  it('is delivered to one of many equal requests', async () => {
    await startWorker('left');
    const gateway = await leave(shared());
    const taken = await Promise.all(Array.from({ length: 10 }, () => gateway.takeUndelivered(shared())));
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
  });
});

it('a worker of some queues takes no job of the other queues', async () => {
  hold.open();
  const worker = await deployment.worker(undefined, { queues: ['candidate-generation'] });
  expect(worker.isReady()).toBe(true);
  const gateway = await deployment.gateway();
  expect([...(await gateway.liveQueues())]).toEqual(['candidate-generation']);
  await expect(gateway.submit(deployment.job())).rejects.toMatchObject({
    code: 'worker_unavailable',
    details: { queue: 'memory-flush' },
  });
  await gateway.submit(deployment.job({ queue: 'candidate-generation' }));
});
