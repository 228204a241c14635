import { type Epochs, migrate } from '@continuity/kernel/database';
import { fromDatabaseError } from '@continuity/kernel/errors';
import { newId } from '@continuity/kernel/text';
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

  it('a request whose job the database has lost is 503, and does not wait for its time limit', async () => {
    let epochs: Epochs | undefined;
    const gateway = await deployment.gateway({
      adapt: (database) => {
        epochs = database.epochs;
        return database;
      },
    });
    await deployment.database.pool.query('INSERT INTO workers VALUES ($1, $2)', [newId(), ['memory-flush']]);
    const answer = gateway.submit(deployment.job());
    answer.catch(() => undefined);
    await waitUntil(async () => (await deployment.jobRows()).length === 1);
    await deployment.database.pool.query('DELETE FROM jobs');
    epochs?.begin();
    await expect(answer).rejects.toMatchObject({ status: 503, code: 'database_unavailable' });
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
