import { fromDatabaseError, migrate } from '@continuity/shared/kernel';
import { type PostgresServer, startPostgres, waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Deployment, echo, gate, openDeployment } from './deployment.ts';

describe.each(['redis', 'postgres'] as const)(
  'with the queue in %s and a database that crashes',
  (backend) => {
    let server: PostgresServer;
    let deployment: Deployment;
    beforeEach(async () => {
      server = await startPostgres();
      await migrate(server.url);
      deployment = await openDeployment(backend, server.url);
    });
    afterEach(async () => {
      await deployment.close();
      await server.stop();
    });

    it('the requests that wait are answered when it is back, and new ones as well', async () => {
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
  },
);
