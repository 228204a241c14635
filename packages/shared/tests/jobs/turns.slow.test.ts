import type { TenantId } from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import { testBackend, underLoad, waitUntil } from '@continuity/testing';
import { describe, expect, it } from 'vitest';
import { endWithEffect, openDeployment } from './deployment.ts';

/** Time of a job. */
const serviceMs = 500;
/** Time of a job where a delay is measured: what else runs on the machine takes a small part of it. */
const longServiceMs = 2_500;

/** A deployment, and the tenants and requests of its jobs in the order of their runs. */
async function openCounted() {
  const deployment = await openDeployment();
  const { database, tenants } = deployment;
  const order: TenantId[] = [];
  const requests: unknown[] = [];
  return {
    deployment,
    order,
    requests,
    startWorker: (concurrency: number, jobMs = serviceMs) =>
      deployment.worker(
        async (job) => {
          order.push(job.tenantId);
          requests.push(job.request);
          await new Promise((wake) => setTimeout(wake, jobMs));
          await endWithEffect(database, job, job.attempt);
        },
        { concurrency },
      ),
    /** Writes queued jobs of the first tenant, of as many groups, which the sweep enqueues. */
    flood: async (count: number, groups = count, background = false) => {
      await database.pool.query(
        `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, background)
         SELECT $1, job_id, 'memory-flush', 'flush_memory', 'flood ' || n % $2::int, '{}', $4
         FROM unnest($3::uuid[]) WITH ORDINALITY AS flooded (job_id, n)`,
        [tenants[0], groups, Array.from({ length: count }, newId), background],
      );
    },
    untilFlooding: () => waitUntil(() => order.length > 3),
    /** A job of the second tenant. */
    calm: (request = 'calm') =>
      deployment.job({ tenantId: tenants[1], group: `flush_memory:${request}`, request }),
    [Symbol.asyncDispose]: () => deployment.close(),
  };
}

// The tests mostly wait, so they run beside each other.
describe.concurrent(`with the queue in ${testBackend()}`, () => {
  it('10,000 jobs of one tenant delay a job of another one by at most twice its own service time', async () => {
    await using counted = await openCounted();
    const { deployment, order, flood, startWorker, untilFlooding, calm } = counted;
    await flood(10_000);
    await startWorker(1, longServiceMs);
    const gateway = await deployment.gateway();
    await untilFlooding();
    for (const request of ['first', 'second', 'third']) {
      const [begun, runs] = [performance.now(), order.length];
      expect(await gateway.submit(calm(request))).toBe(1);
      const delayMs = performance.now() - begun - longServiceMs;
      expect(order.indexOf(deployment.tenants[1], runs) - runs).toBeLessThanOrEqual(1);
      expect(delayMs).toBeLessThan(underLoad(2 * longServiceMs));
    }
  });

  it('two tenants with many jobs take turns', async () => {
    await using counted = await openCounted();
    const { deployment, order, flood, startWorker, untilFlooding, calm } = counted;
    await flood(20);
    const gateway = await deployment.gateway();
    await startWorker(1);
    await untilFlooding();
    const answers = Array.from({ length: 5 }, (_, index) => gateway.submit(calm(`${index}`)));
    await waitUntil(async () => (await deployment.jobRows()).length === 25);
    const from = order.length + 1;
    await Promise.all(answers);
    const [busy, other] = deployment.tenants;
    // Until the last job of the other tenant, after which the busy one has the worker to itself.
    const turns = order.slice(from, order.lastIndexOf(other) + 1);
    expect(turns).toContain(other);
    for (const [index, tenant] of turns.entries()) {
      if (index > 0) expect(tenant).toBe(turns[index - 1] === other ? busy : other);
    }
  });

  it('many jobs of one group hold back neither another tenant nor another group of their tenant', async () => {
    await using counted = await openCounted();
    const { deployment, order, flood, startWorker, untilFlooding, calm } = counted;
    await flood(500, 1);
    await startWorker(2, longServiceMs);
    const gateway = await deployment.gateway();
    await untilFlooding();
    const [begun, runs] = [performance.now(), order.length];
    expect(await gateway.submit(calm())).toBe(1);
    expect(performance.now() - begun).toBeLessThan(underLoad(3 * longServiceMs));
    expect(order.indexOf(deployment.tenants[1], runs) - runs).toBeLessThanOrEqual(2);
    const own = deployment.job({ group: 'flush_memory:own', request: 'own' });
    expect(await gateway.submit(own)).toBe(1);
    expect(order.filter((tenant) => tenant === deployment.tenants[0]).length).toBeLessThan(60);
  });

  it('no background job of any tenant goes before the job of a request', async () => {
    await using counted = await openCounted();
    const { deployment, requests, flood, startWorker, calm } = counted;
    await flood(50, 50, true);
    await startWorker(1, longServiceMs);
    const gateway = await deployment.gateway();
    await waitUntil(() => requests.length > 1);
    const [begun, runs] = [performance.now(), requests.length];
    await gateway.submit(calm());
    await gateway.submit(deployment.job({ request: 'own' }));
    expect(performance.now() - begun).toBeLessThan(underLoad(5 * longServiceMs));
    // Before each of the two, the background jobs that had begun before it was queued.
    expect(requests.indexOf('own', runs) - runs).toBeLessThanOrEqual(4);
  });
});
