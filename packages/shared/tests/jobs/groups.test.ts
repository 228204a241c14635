import { testBackend, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Deployment, echo, endWithEffect, gate, openDeployment } from './deployment.ts';

describe(`jobs behind a queue in ${testBackend()}`, () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = await openDeployment();
  });
  afterEach(() => deployment.close());

  it('run one after the other in a group, and each caller gets its own result', async () => {
    let running = 0;
    let mostRunning = 0;
    const run = echo(deployment.database);
    const handler: typeof run = async (job, context) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await deployment.database.pool.query('SELECT pg_sleep(0.02)');
      // Before the commit, after which the next one may run elsewhere.
      running -= 1;
      await run(job, context);
    };
    await deployment.worker(handler);
    await deployment.worker(handler);
    const gateways = await Promise.all([deployment.gateway(), deployment.gateway()]);
    const asked = Array.from({ length: 10 }, (_, index) => index);

    const answers = await Promise.all(
      asked.map((index) => gateways[index % 2]?.submit(deployment.job({ request: { index } }))),
    );

    expect(answers).toEqual(asked.map((index) => ({ echo: { index }, attempt: 1 })));
    expect(mostRunning).toBe(1);
  });

  it('answer 1,000 concurrent requests over 100 groups, also while notifications are lost', async () => {
    await deployment.worker();
    // Longer than the test may take: no answer comes from a last look at the end of its wait.
    const gateway = await deployment.gateway({ waitMs: 60_000 });
    const asked = Array.from({ length: 1_000 }, (_, index) => index);

    const answering = Promise.all(
      asked.map((index) =>
        gateway.submit(deployment.job({ group: `group ${index % 100}`, request: { index } })),
      ),
    );
    await waitUntil(async () => (await deployment.effects()).length > 300);
    const cut = await deployment.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'continuity-listen-jobs' AND datname = current_database()`,
    );

    expect(cut.rowCount).toBe(1);
    expect(await answering).toEqual(asked.map((index) => ({ echo: { index }, attempt: 1 })));
    expect(await deployment.effects()).toHaveLength(1_000);
  });

  it('of two tenants do not wait for each other, also with equal groups and Scope ids', async () => {
    const hold = gate();
    const [one, two] = deployment.tenants;
    await deployment.worker(async (job) => {
      if (job.tenantId === one) await hold.opened;
      await endWithEffect(deployment.database, job, { tenant: job.tenantId });
    });
    const gateway = await deployment.gateway();

    const first = gateway.submit(deployment.job({ tenantId: one }));
    expect(await gateway.submit(deployment.job({ tenantId: two }))).toEqual({ tenant: two });
    hold.open();
    expect(await first).toEqual({ tenant: one });
  });

  it('run requested jobs in order before a background job', async () => {
    const hold = gate();
    const order: unknown[] = [];
    const worker = await deployment.worker(async (job) => {
      await hold.opened;
      order.push(job.request);
      await endWithEffect(deployment.database, job, null);
    });
    const gateway = await deployment.gateway();

    const first = gateway.submit(deployment.job({ request: 'first' }));
    await waitUntil(async () => (await deployment.jobRows()).some(({ status }) => status === 'running'));
    expect(await worker.queueBackground(deployment.job({ request: 'background' }))).toBe(true);
    expect(await worker.queueBackground(deployment.job({ request: 'background again' }))).toBe(false);
    const second = gateway.submit(deployment.job({ request: 'second' }));
    await waitUntil(async () => (await deployment.jobRows()).length === 3);
    const third = gateway.submit(deployment.job({ request: 'third' }));
    await waitUntil(async () => (await deployment.jobRows()).length === 4);
    hold.open();
    await Promise.all([first, second, third]);
    await waitUntil(() => order.length === 4);

    expect(order).toEqual(['first', 'second', 'third', 'background']);
  });
});
