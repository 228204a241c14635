import { serviceError } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import type { EarlierWork, KeyedJob } from '@continuity/shared/jobs';
import { hasRedis, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Deployment, endWithEffect, gate, openDeployment } from './deployment.ts';

let deployment: Deployment;
let hold: ReturnType<typeof gate>;
beforeEach(async () => {
  deployment = await openDeployment();
  hold = gate();
});
afterEach(() => deployment.close());

const nothingFound: JsonValue = { status: 'no_op' };
const keyOf = (name: string) => Buffer.alloc(32, name);

/** A job of a key. `reason` differs from request to request and belongs to no key. */
const keyed = (key: string, reason = 'none', tenantId = deployment.tenants[0]): KeyedJob => ({
  ...deployment.job({
    group: `flush_memory:${key}`,
    request: { key, reason },
    coalesces: 'until-ended',
    tenantId,
  }),
  workKey: keyOf(key),
});

const earlier = (found?: JsonValue): EarlierWork => ({
  find: async () => found,
  reusableResult: nothingFound,
});

/** A worker whose jobs end with `result` when the gate opens. */
const startWorker = (result: JsonValue = 'done') =>
  deployment.worker(async (job) => {
    await hold.opened;
    await endWithEffect(deployment.database, job, result);
  });

const statuses = async () => (await deployment.jobRows()).map(({ status }) => status);

describe('spec 40 §2.1.2: requests of one key', () => {
  it('share the unfinished job on all gateways, whatever else their bodies contain', async () => {
    await startWorker();
    const gateways = await Promise.all([deployment.gateway(), deployment.gateway()]);
    const waiting = gateways[0].submitByKey(keyed('one'), earlier());
    await waitUntil(async () => (await statuses())[0] === 'running');
    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        gateways[index % 2]?.submitByKeyAsync(keyed('one', `reason ${index}`), earlier()),
      ),
    );
    hold.open();

    expect(await waiting).toBe('done');
    const [row, ...others] = await deployment.jobRows();
    expect(others).toEqual([]);
    const ids = accepted.map((one) => one && 'job_id' in one && one.job_id);
    expect(new Set(ids)).toEqual(new Set([row?.['job_id']]));
    expect(await deployment.effects()).toHaveLength(1);
  });

  it('never share with another key, another tenant or a request without a key', async () => {
    await startWorker();
    const gateway = await deployment.gateway();
    const [, other] = deployment.tenants;
    const answers = [
      gateway.submitByKey(keyed('one'), earlier()),
      gateway.submitByKey(keyed('two'), earlier()),
      gateway.submitByKey(keyed('one', 'none', other), earlier()),
      gateway.submit({ ...keyed('one'), group: 'other', workKey: null }),
    ];
    await waitUntil(async () => (await deployment.jobRows()).length === 4);
    hold.open();
    await Promise.all(answers);
  });

  it.skipIf(!hasRedis())(
    'take what the work has left once no job is unfinished, without worker and queue',
    async () => {
      const gateway = await deployment.gateway();
      await deployment.redis?.stop();
      expect(await gateway.submitByKey(keyed('one'), earlier('left'))).toBe('left');
      expect(await gateway.submitByKeyAsync(keyed('one'), earlier('left'))).toEqual({
        result: 'left',
        jobId: null,
      });
      expect(await deployment.jobRows()).toEqual([]);
    },
  );

  it('run anew after an end that left nothing, also where the result was delivered to no caller', async () => {
    await startWorker();
    const impatient = await deployment.gateway({ waitMs: 300 });
    await expect(impatient.submitByKey(keyed('one'), earlier())).rejects.toMatchObject({
      code: 'job_timeout',
    });
    hold.open();
    await waitUntil(async () => (await statuses())[0] === 'succeeded');
    const gateway = await deployment.gateway();
    expect(await gateway.submitByKey(keyed('one'), earlier())).toBe('done');
    expect(await statuses()).toEqual(['succeeded', 'succeeded']);
  });

  it('take the reusable result that no caller received, once, without a worker', async () => {
    const worker = await startWorker(nothingFound);
    const gateway = await deployment.gateway({ waitMs: 300 });
    await expect(gateway.submitByKey(keyed('one'), earlier())).rejects.toMatchObject({ code: 'job_timeout' });
    hold.open();
    await waitUntil(async () => (await statuses())[0] === 'succeeded');
    await worker.stop();
    await waitUntil(async () => (await gateway.liveQueues()).size === 0);

    const taken = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => gateway.submitByKey(keyed('one', `${index}`), earlier())),
    );
    expect(taken.filter(({ status }) => status === 'fulfilled')).toEqual([
      { status: 'fulfilled', value: nothingFound },
    ]);
    expect(taken.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'worker_unavailable', details: { queue: 'memory-flush' } },
    });
    expect(await statuses()).toEqual(['succeeded']);
  });

  it('start a new job after one that failed', async () => {
    await deployment.worker(async () => {
      throw serviceError('inference_timeout');
    });
    const gateway = await deployment.gateway();
    for (const _ of [1, 2])
      await expect(gateway.submitByKey(keyed('one'), earlier())).rejects.toMatchObject({
        code: 'inference_timeout',
      });
    expect(await statuses()).toEqual(['failed', 'failed']);
  });

  it.skipIf(!hasRedis())(
    'are refused without a worker and without a queue store, with nothing written',
    async () => {
      const gateway = await deployment.gateway();
      await expect(gateway.submitByKey(keyed('one'), earlier())).rejects.toMatchObject({
        code: 'worker_unavailable',
      });
      await deployment.redis?.stop();
      await waitUntil(async () => (await gateway.checkStore()) === 'unavailable');
      await expect(gateway.submitByKey(keyed('one'), earlier())).rejects.toMatchObject({
        code: 'queue_unavailable',
        details: {},
      });
      expect(await deployment.jobRows()).toEqual([]);
    },
  );
});
