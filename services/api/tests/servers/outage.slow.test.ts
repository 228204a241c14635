import { migrate } from '@continuity/kernel/database';
import { type PostgresServer, startPostgres, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import {
  type Deployment,
  namesOn,
  reconcile,
  remember,
  startDeployment,
  unknownCredential,
} from '../support/servers.ts';
import { startTestGateway } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

describe('a server that is down', () => {
  let a: PostgresServer;
  let b: PostgresServer;
  let deployment: Deployment;
  const scope_id = freshScope();

  beforeAll(async () => {
    [a, b] = await Promise.all([startPostgres(), startPostgres()]);
    await Promise.all([migrate(a.url), migrate(b.url)]);
    const entries = [
      { name: 'a', url: a.url, tenants: ['alpha'] },
      { name: 'b', url: b.url, tenants: ['beta'] },
    ];
    deployment = await startDeployment(entries, ['alpha', 'beta']);
  });

  afterAll(async () => {
    await deployment.stop();
    await Promise.all([a.stop(), b.stop()]);
  });

  const readiness = async () => {
    const { status, body } = await deployment.client('nobody').call('get_readiness');
    return { code: status, status: body.status, checks: body.checks };
  };

  test.each([
    ['b', 'beta', 'alpha'],
    ['a', 'alpha', 'beta'],
  ])(
    'spec 10 scenario 31: %s is down: its tenants get 503, the others notice nothing, and readiness is degraded',
    async (name, its, other) => {
      const server = name === 'a' ? a : b;
      expect(await remember(deployment, its, scope_id, 'Before.')).toBe(200);
      await server.kill();
      expect(await remember(deployment, its, scope_id, 'Meanwhile.')).toBe('503 database_unavailable');
      for (let count = 0; count < 20; count += 1)
        expect(await remember(deployment, other, scope_id, `Number ${count} while ${name} is down.`)).toBe(
          200,
        );
      await waitUntil(async () => (await readiness()).checks[`database.${name}`] === 'unavailable');
      expect(await readiness()).toMatchObject({
        code: 200,
        status: 'degraded',
        checks: { runtime: 'ready', database: 'ready', [`database.${name}`]: 'unavailable' },
      });
      // An unknown credential may be of a target on the server that is down.
      expect(await reconcile(deployment, unknownCredential)).toBe(503);
      // A gateway that starts now serves those of the other server.
      const settings = {
        ...deployment.settings,
        AUTH_TOKENS_FILE: await writeTokens('alpha', 'beta', `new-${name}`),
      };
      const second = await startTestGateway(settings);
      try {
        await second.ready;
        const statusOf = async (tenant: string) =>
          (await clientOf(second.url, tenant).call('list_scopes')).status;
        expect(await statusOf(other)).toBe(200);
        expect(await statusOf(its)).toBe(503);
        // It might be on the server that is down.
        expect(await statusOf(`new-${name}`)).toBe(503);
        await server.start();
        await waitUntil(async () => (await statusOf(its)) === 200 && (await statusOf(`new-${name}`)) === 200);
      } finally {
        await second.stop();
      }
      await waitUntil(async () => (await remember(deployment, its, scope_id, 'After.')) === 200);
      expect(
        [...(await namesOn(a.url)), ...(await namesOn(b.url))].filter((one) => one === `new-${name}`).length,
      ).toBe(1);
    },
  );
});
