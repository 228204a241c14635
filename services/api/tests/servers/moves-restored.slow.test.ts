import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import {
  clean,
  failMove,
  forgetTenant,
  isServedBy,
  move,
  placeOf,
  rewindTenant,
  rewindToCopy,
  startMoveDeployment,
  tenantIdOf,
  textsOn,
} from '../support/moves.ts';
import { namesOn, remember } from '../support/servers.ts';
import { startTestGateway } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf } from '../support/tenants.ts';

const scope_id = freshScope();
const { a, b, servers, deployment, stop } = await startMoveDeployment({
  a: ['came', 'first', 'cleaned'],
  b: ['away', 'again', 'begun'],
});

afterAll(stop);

const untilRemembered = (tenant: string, text: string) =>
  waitUntil(async () => (await remember(deployment, tenant, scope_id, text)) === 200);

const serversOf = async (tenantId: number) => [
  await isServedBy(a.url, tenantId),
  await isServedBy(b.url, tenantId),
];

test('a server that is restored to a time before its tenant moved away: a gateway ends its work there', async () => {
  const tenantId = await tenantIdOf(a.url, 'away');
  await untilRemembered('away', '1 old.');
  await move(servers, 'away', 'a');
  await untilRemembered('away', '2 new.');
  for (const rewind of [rewindTenant, rewindToCopy]) {
    await rewind(b.url, tenantId);
    const gateway = await startTestGateway(deployment.settings);
    try {
      await gateway.ready;
      await waitUntil(async () => !(await isServedBy(b.url, tenantId)));
      expect(await isServedBy(a.url, tenantId)).toBe(true);
      const found = await clientOf(gateway.url, 'away').call('search_memory', {
        body: { scope_id, query: 'new' },
      });
      expect(found.body.hits.map(({ text }) => text)).toContain('2 new.');
    } finally {
      await gateway.stop();
    }
  }
  await move(servers, 'away', 'b');
  expect(await textsOn(b.url, tenantId)).toEqual(['1 old.', '2 new.']);
});

test('a move to a server that was restored to a time at which the tenant worked there replaces the old rows', async () => {
  const tenantId = await tenantIdOf(a.url, 'begun');
  await untilRemembered('begun', '1 old.');
  await move(servers, 'begun', 'a');
  await untilRemembered('begun', '2 new.');
  await rewindTenant(b.url, tenantId);
  expect(await move(servers, 'begun', 'b')).toContain('is on b');
  expect(await serversOf(tenantId)).toEqual([false, true]);
  expect(await textsOn(b.url, tenantId)).toEqual(['1 old.', '2 new.']);
});

test('restored before the switch to a time at which the tenant worked there: nothing is switched, and no row is deleted', async () => {
  const tenantId = await tenantIdOf(a.url, 'again');
  await untilRemembered('again', '1 old.');
  await move(servers, 'again', 'a');
  await untilRemembered('again', '2 new.');
  await failMove(servers, 'again', 'b', 'switch');
  // As if it had been created there: without the version of a move.
  await query(b.url, 'UPDATE tenants SET move_seal = NULL WHERE tenant_id = $1', [tenantId]);
  await query(b.url, 'DELETE FROM memory_changes WHERE tenant_id = $1', [tenantId]);
  expect(await serversOf(tenantId)).toEqual([false, true]);
  await expect(move(servers, 'again', 'b')).rejects.toThrow('lacks the copy');
  expect((await clean(servers, 0))[0]).toContain('Kept the rows of "again"');
  expect(await placeOf(a.url, 'again')).toBe('a');
  expect(await move(servers, 'again', 'b', { isAbort: true })).toContain('stays on a');
  expect(await serversOf(tenantId)).toEqual([true, false]);
  await untilRemembered('again', '3 after.');
  expect(await move(servers, 'again', 'b')).toContain('is on b');
  expect(await textsOn(b.url, tenantId)).toEqual(['1 old.', '2 new.', '3 after.']);
});

test('a server that is restored to a time before its tenant came serves no empty tenant; the rows left behind are taken back', async () => {
  const tenantId = await tenantIdOf(a.url, 'came');
  await untilRemembered('came', '1 old.');
  await move(servers, 'came', 'b');
  await untilRemembered('came', '2 lost.');
  await forgetTenant(b.url, tenantId);
  const gateway = await startTestGateway(deployment.settings);
  try {
    await gateway.ready;
    await waitUntil(async () => (await clientOf(gateway.url, 'again').call('list_scopes')).status === 200);
    expect((await clientOf(gateway.url, 'came').call('list_scopes')).status).toBe(503);
    expect(await namesOn(b.url)).not.toContain('came');
    const { checks } = (await clientOf(gateway.url, 'nobody').call('get_readiness')).body;
    expect(checks).toMatchObject({ database: 'ready', directory: 'unavailable' });
    await expect(move(servers, 'came', 'a')).resolves.toContain('is on a again');
    expect(await serversOf(tenantId)).toEqual([true, false]);
    await waitUntil(async () => (await clientOf(gateway.url, 'came').call('list_scopes')).status === 200);
  } finally {
    await gateway.stop();
  }
  await untilRemembered('came', '3 after.');
  expect(await textsOn(a.url, tenantId)).toEqual(['1 old.', '3 after.']);
  expect(await move(servers, 'came', 'b')).toContain('is on b');
});

test('restored to the time of the copy: the rows left behind are taken back, and the server works for the tenant no more', async () => {
  const tenantId = await tenantIdOf(a.url, 'begun');
  await move(servers, 'begun', 'a');
  await untilRemembered('begun', '3 more.');
  // b has the tenant again, and a has it as of a time at which it had begun to move there.
  await move(servers, 'begun', 'b');
  await query(b.url, 'UPDATE tenants SET move_seal = NULL WHERE tenant_id = $1', [tenantId]);
  await query(
    b.url,
    "INSERT INTO tenant_moves (tenant_id, name, state, peer, run) VALUES ($1, 'begun', 'leaving', 'a', gen_random_uuid())",
    [tenantId],
  );
  expect(await move(servers, 'begun', 'a')).toContain('is on a again');
  expect(await serversOf(tenantId)).toEqual([true, false]);
});

test('the server with the directory is restored to a time before a move: the tenant is refused, and no command deletes its last rows', async () => {
  const tenantId = await tenantIdOf(a.url, 'first');
  await untilRemembered('first', '1 old.');
  await move(servers, 'first', 'b');
  await untilRemembered('first', '2 new.');
  await query(a.url, "UPDATE tenant_servers SET server = 'a', move_seal = NULL WHERE name = 'first'");
  await rewindTenant(a.url, tenantId);
  const gateway = await startTestGateway(deployment.settings);
  const statusOf = async (tenant: string) => (await clientOf(gateway.url, tenant).call('list_scopes')).status;
  try {
    await gateway.ready;
    await waitUntil(async () => (await statusOf('away')) === 200);
    expect(await statusOf('first')).toBe(503);
    await expect(move(servers, 'first', 'b')).rejects.toThrow('works on b as of a later move');
    await expect(move(servers, 'first', 'b', { isAbort: true })).rejects.toThrow(
      'works on b as of a later move',
    );
    expect(await textsOn(b.url, tenantId)).toEqual(['1 old.', '2 new.']);
    const [own] = await query<{ moveVersion: string }>(
      b.url,
      'SELECT move_seal AS "moveVersion" FROM tenants WHERE tenant_id = $1',
      [tenantId],
    );
    await query(a.url, "UPDATE tenant_servers SET server = 'b', move_seal = $1 WHERE name = 'first'", [
      own?.moveVersion,
    ]);
    await waitUntil(async () => (await statusOf('first')) === 200);
    await waitUntil(async () => !(await isServedBy(a.url, tenantId)));
  } finally {
    await gateway.stop();
  }
  await untilRemembered('first', '3 after.');
  expect(await textsOn(b.url, tenantId)).toEqual(['1 old.', '2 new.', '3 after.']);
});

test('an abort never makes a tenant work on a server that has deleted its rows', async () => {
  const tenantId = await tenantIdOf(a.url, 'cleaned');
  await untilRemembered('cleaned', '1 old.');
  await move(servers, 'cleaned', 'b');
  await clean(servers, 0);
  await query(a.url, "UPDATE tenant_servers SET server = 'a', move_seal = NULL WHERE name = 'cleaned'");
  await expect(move(servers, 'cleaned', 'b', { isAbort: true })).rejects.toThrow('works on b already');
  expect(await move(servers, 'cleaned', 'b')).toContain('is on b');
  expect(await textsOn(b.url, tenantId)).toEqual(['1 old.']);
  await query(a.url, "UPDATE tenant_servers SET server = 'a', move_seal = NULL WHERE name = 'cleaned'");
  await forgetTenant(b.url, tenantId);
  await expect(move(servers, 'cleaned', 'b', { isAbort: true })).rejects.toThrow(
    'left a for b, and its rows on a are deleted',
  );
  await expect(move(servers, 'cleaned', 'b')).rejects.toThrow('its rows on a are deleted');
  expect(await serversOf(tenantId)).toEqual([false, false]);
});
