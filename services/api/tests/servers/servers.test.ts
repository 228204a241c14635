import { writeFile } from 'node:fs/promises';
import { loadSettings } from '@continuity/kernel/config';
import { createDatabase, type TestDatabase, waitUntil } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import {
  type Deployment,
  namesOn,
  reconcile,
  remember,
  startDeployment,
  unknownCredential,
  writeServers,
  writeServersFile,
} from '../support/servers.ts';
import { startTestGateway } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf, tokensFor, writeTokens } from '../support/tenants.ts';

describe('two database servers', () => {
  let databases: TestDatabase[];
  let a: TestDatabase;
  let b: TestDatabase;
  let deployment: Deployment;

  beforeAll(async () => {
    databases = [await createDatabase(), await createDatabase()];
    [a, b] = databases as [TestDatabase, TestDatabase];
    // A tenant of the time before the second server.
    await query(a.url, "INSERT INTO tenants (name) VALUES ('oldest')");
    deployment = await startDeployment(
      [
        { name: 'a', url: a.url, takes_new_tenants: false, tenants: ['alpha'] },
        { name: 'b', url: b.url, tenants: ['beta'] },
      ],
      ['oldest', 'alpha', 'beta', 'gamma'],
      { workers: true },
    );
  });

  afterAll(async () => {
    await deployment.stop();
    for (const database of databases) await database.drop();
  });

  test('a tenant stays where it is; a new one goes where the file names it, or to a server that takes new ones', async () => {
    expect(await namesOn(a.url)).toEqual(['alpha', 'oldest']);
    expect(await namesOn(b.url)).toEqual(['beta', 'gamma']);
    expect(await query(a.url, 'SELECT name, server FROM tenant_servers ORDER BY name')).toEqual([
      { name: 'alpha', server: 'a' },
      { name: 'beta', server: 'b' },
      { name: 'gamma', server: 'b' },
      { name: 'oldest', server: 'a' },
    ]);
    const idsOf = async (url: string) =>
      (await query<{ tenant_id: number }>(url, 'SELECT tenant_id FROM tenants')).map((row) => row.tenant_id);
    const listed = await query<{ tenant_id: number }>(a.url, 'SELECT tenant_id FROM tenant_servers');
    expect([...(await idsOf(a.url)), ...(await idsOf(b.url))].sort()).toEqual(
      listed.map((row) => row.tenant_id).sort(),
    );
  });

  test('each tenant reads its own data alone, on the same server and across servers', async () => {
    const scope_id = freshScope();
    const tenants = ['oldest', 'alpha', 'beta', 'gamma'];
    for (const tenant of tenants)
      expect(await remember(deployment, tenant, scope_id, `The secret word is ${tenant}.`)).toBe(200);
    for (const tenant of tenants) {
      const { body } = await deployment
        .client(tenant)
        .call('search_memory', { body: { scope_id, query: 'secret word' } });
      expect(body.hits.map(({ text }) => text)).toEqual([`The secret word is ${tenant}.`]);
      expect((await deployment.client(tenant).call('get_caller')).body.tenant).toBe(tenant);
    }
    expect((await query(b.url, 'SELECT FROM memory_states')).length).toBe(2);
  });

  test('jobs of tenants of both servers run, and their ids are unknown to the other tenants', async () => {
    const scope_id = freshScope();
    for (const tenant of ['alpha', 'beta']) {
      const client = deployment.client(tenant);
      await client.call('capture_content_source', {
        body: { scope_id, source_id: 'one', content: `We decided that ${tenant} deploys on Mondays.` },
      });
      const { status, body } = await client.call('flush_memory', { body: { scope_id } });
      expect(status).toBe(200);
      expect(body.status).toBe('processed');
    }
    const { items } = (await deployment.client('beta').call('list_jobs', { query: {} })).body;
    const job_id = String(items[0]?.job_id);
    expect((await deployment.client('beta').call('get_job', { params: { job_id } })).status).toBe(200);
    expect((await deployment.client('alpha').call('get_job', { params: { job_id } })).status).toBe(404);
  });

  test('a code and a credential of a remote target are found on the server that has them', async () => {
    const client = deployment.client('beta');
    const scope_id = freshScope();
    await remember(deployment, 'beta', scope_id, 'Begin.');
    const { body: created } = await client.call('create_remote_skill_target', {
      body: { scope_id, display_name: 'Laptop', agent_kind: 'codex' },
    });
    const enroll = () =>
      clientOf(deployment.url, 'nobody').call('enroll_remote_skill_target', {
        body: {
          enrollment_code: created.enrollment_code,
          installation_id: 'install-1',
          receiver_version: '1.0.0',
          environment_fingerprint: 'a'.repeat(64),
          machine_hostname: 'host',
          workspace_name: 'work',
        },
      });
    const races = await Promise.all([enroll(), enroll()]);
    expect(races.map(({ status }) => status).sort()).toEqual([200, 409]);
    const enrolled = races.find(({ status }) => status === 200);
    expect(await reconcile(deployment, String(enrolled?.body.credential))).toBe(200);
    expect(await reconcile(deployment, unknownCredential)).toBe(401);
  });

  test('readiness names each server, and metrics add up the work of all', async () => {
    const { status, body } = await deployment.client('nobody').call('get_readiness');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        status: 'ready',
        checks: { database: 'ready', 'database.a': 'ready', 'database.b': 'ready', directory: 'ready' },
      },
    });
    const page = await (
      await fetch(`${deployment.url}/metrics`, {
        headers: { authorization: `Bearer token-of-operator-0123456789` },
      })
    ).text();
    const depths = page
      .split('\n')
      .filter((line) => /^continuity_queue_depth\{.*queue="memory-flush"/.test(line));
    expect(depths.length).toBe(2);
  });

  test('a new token gets a server, and a withdrawn one is refused on all of them', async () => {
    const path = String(deployment.settings.AUTH_TOKENS_FILE);
    await writeFile(path, tokensFor('oldest', 'alpha', 'beta', 'delta'));
    process.kill(process.pid, 'SIGHUP');
    await waitUntil(async () => (await deployment.client('delta').call('list_scopes')).status === 200);
    expect(await namesOn(b.url)).toContain('delta');
    expect((await deployment.client('gamma').call('list_scopes')).status).toBe(401);
    expect((await deployment.client('alpha').call('list_scopes')).status).toBe(200);
    await writeFile(path, tokensFor('oldest', 'alpha', 'beta', 'gamma'));
    process.kill(process.pid, 'SIGHUP');
    await waitUntil(async () => (await deployment.client('gamma').call('list_scopes')).status === 200);
  });

  test('a tenant whose id another one has is not served, and keeps no other from its server', async () => {
    await query(
      b.url,
      `INSERT INTO tenants (name, tenant_id)
       VALUES ('clash', (${(await query<{ tenant_id: number }>(a.url, "SELECT tenant_id FROM tenants WHERE name = 'oldest'"))[0]?.tenant_id}))`,
    );
    const settings = {
      ...deployment.settings,
      AUTH_TOKENS_FILE: await writeTokens('oldest', 'clash', 'fresh'),
    };
    const gateway = await startTestGateway(settings);
    try {
      await gateway.ready;
      const statusOf = async (tenant: string) =>
        (await clientOf(gateway.url, tenant).call('list_scopes')).status;
      expect([await statusOf('oldest'), await statusOf('fresh'), await statusOf('clash')]).toEqual([
        200, 200, 503,
      ]);
      const { body } = await clientOf(gateway.url, 'nobody').call('get_readiness');
      expect(body).toMatchObject({ status: 'degraded', checks: { directory: 'unavailable' } });
    } finally {
      await gateway.stop();
    }
  });

  /** The address of a server that does not answer. */
  const down = (port: number) => {
    const url = new URL(b.url);
    url.port = String(port);
    return url.href;
  };

  test('a tenant from before there were several servers is served while a new server is down', async () => {
    await query(a.url, "INSERT INTO tenants (name) VALUES ('older')");
    const settings = {
      ...deployment.settings,
      AUTH_TOKENS_FILE: await writeTokens('older', 'newest'),
      DATABASE_SERVERS_FILE: await writeServersFile([
        { name: 'a', url: a.url },
        { name: 'c', url: down(2) },
      ]),
    };
    const gateway = await startTestGateway(settings);
    try {
      await gateway.ready;
      expect((await clientOf(gateway.url, 'older').call('list_scopes')).status).toBe(200);
      expect((await clientOf(gateway.url, 'newest').call('list_scopes')).status).toBe(503);
      expect(await query(a.url, "SELECT FROM tenant_servers WHERE name = 'older'")).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });

  test('while the first server is down, a gateway that starts serves a tenant only if all other servers answer', async () => {
    const statusWith = async (servers: { name: string; url: string }[]) => {
      const settings = {
        ...deployment.settings,
        DATABASE_SERVERS_FILE: await writeServersFile([{ name: 'a', url: down(1) }, ...servers]),
      };
      const gateway = await startTestGateway(settings);
      try {
        await gateway.ready;
        return (await clientOf(gateway.url, 'beta').call('list_scopes')).status;
      } finally {
        await gateway.stop();
      }
    };
    const own = { name: 'b', url: b.url };
    expect(await statusWith([own])).toBe(200);
    // It may have the tenant as of a later move.
    expect(await statusWith([own, { name: 'c', url: down(2) }])).toBe(503);
  });

  test('gateways that start at the same time place a new tenant once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `racer-${index}`);
    const settings = loadSettings({
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_SERVERS_FILE: await writeServers([
        { name: 'a', url: a.url },
        { name: 'b', url: b.url },
      ]),
      AUTH_TOKENS_FILE: await writeTokens(...names),
    });
    const gateways = await Promise.all([1, 2, 3].map(() => startTestGateway(settings)));
    try {
      await Promise.all(gateways.map((gateway) => gateway.ready));
      const answers = await Promise.all(
        gateways.flatMap(({ url }) =>
          names.map((name) =>
            waitUntil(async () => (await clientOf(url, name).call('list_scopes')).status === 200),
          ),
        ),
      );
      expect(answers.length).toBe(60);
      const [onA, onB] = [await namesOn(a.url), await namesOn(b.url)];
      const racers = [...onA, ...onB].filter((name) => name.startsWith('racer-'));
      expect(racers.sort()).toEqual([...names].sort());
      // Many at a time are spread.
      expect(onA.some((name) => name.startsWith('racer-'))).toBe(true);
      expect(onB.some((name) => name.startsWith('racer-'))).toBe(true);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
    }
  });

  test('the first server refuses a tenant that is on another one, and one that it has itself', async () => {
    await expect(query(a.url, "INSERT INTO tenants (name) VALUES ('beta')")).rejects.toThrow(
      'on another server',
    );
    await expect(
      query(a.url, "INSERT INTO tenant_servers (name, server) VALUES ('unlisted', 'b'), ('oldest', 'b')"),
    ).rejects.toThrow(/duplicate key|on this server/);
    await query(a.url, "INSERT INTO tenants (name) VALUES ('unlisted')");
    await expect(
      query(a.url, "INSERT INTO tenant_servers (name, server) VALUES ('unlisted', 'b')"),
    ).rejects.toThrow('on this server');
  });
});
