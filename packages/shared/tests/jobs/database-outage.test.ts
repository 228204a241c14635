import { migrate } from '@continuity/kernel/database';
import { fromDatabaseError } from '@continuity/kernel/errors';
import { type PostgresServer, startPostgres, testBackend, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Deployment, echo, gate, openDeployment } from './deployment.ts';

describe(`with the queue in ${testBackend()} and a database that crashes`, () => {
  let server: PostgresServer;
  let deployment: Deployment;
  beforeEach(async () => {
    server = await startPostgres();
    await migrate(server.url);
    deployment = await openDeployment(testBackend(), server.url);
  });
  afterEach(async () => {
    await deployment.close();
    await server.stop();
  });

  it('waiting requests and new ones are answered after its recovery', async () => {
    const hold = gate();
    const run = echo(deployment.database);
    const worker = await deployment.worker(async (job, context) => {
      await hold.opened;
      await run(job, context);
    });
    const gateway = await deployment.gateway();
    const asked = Array.from({ length: 20 }, (_, index) => index);
    const answers = Promise.all(
      asked.map((index) => gateway.submit(deployment.job({ group: `group ${index}`, request: { index } }))),
    );
    await waitUntil(
      async () => (await deployment.jobRows()).filter(({ status }) => status === 'running').length === 8,
    );

    await server.kill();
    const error = await gateway.submit(deployment.job()).catch((failure) => failure);
    expect(fromDatabaseError(error)).toMatchObject({ code: 'database_unavailable' });
    await server.start();
    hold.open();

    expect(await answers).toEqual(asked.map((index) => ({ echo: { index }, attempt: expect.any(Number) })));
    expect(await deployment.effects()).toHaveLength(20);
    await waitUntil(() => worker.isReady());
    expect(await gateway.submit(deployment.job({ request: 'new' }))).toMatchObject({ echo: 'new' });
  });

  it('a job whose database is down for a second runs again and succeeds, with one effect', async () => {
    const hold = gate();
    let runs = 0;
    const run = echo(deployment.database);
    await deployment.worker(async (job, context) => {
      runs += 1;
      await hold.opened;
      await run(job, context);
    });
    const gateway = await deployment.gateway();
    const answer = gateway.submit(deployment.job());
    await waitUntil(() => runs === 1);

    await server.kill();
    hold.open();
    await waitUntil(() => runs === 2);
    await server.start();

    expect(await answer).toMatchObject({ echo: { scope_id: 'scope' } });
    expect(await deployment.effects()).toHaveLength(1);
  });
});
