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
  startMoveDeployment,
  tenantIdOf,
} from '../support/moves.ts';
import { namesOn, remember } from '../support/servers.ts';
import { startTestGateway } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { clientOf } from '../support/tenants.ts';

const scope_id = freshScope();
const { a, b, servers, deployment, stop } = await startMoveDeployment({
  a: ['came'],
  b: ['away', 'again', 'begun'],
});

afterAll(stop);

const untilRemembered = (tenant: string, text: string) =>
  waitUntil(async () => (await remember(deployment, tenant, scope_id, text)) === 200);

const textsOn = async (url: string, tenantId: number) =>
  (
    await query<{ text: string }>(
      url,
      'SELECT text FROM memory_versions WHERE tenant_id = $1 ORDER BY text',
      [tenantId],
    )
  ).map(({ text }) => text);

const serversOf = async (tenantId: number) => [
  await isServedBy(a.url, tenantId),
  await isServedBy(b.url, tenantId),
];

test('a server that is restored to a time before its tenant moved away: the next start of a gateway ends its work there', async () => {
  const tenantId = await tenantIdOf(a.url, 'away');
  await untilRemembered('away', '1 old.');
  await move(servers, 'away', 'a');
  await untilRemembered('away', '2 new.');
  await rewindTenant(b.url, tenantId);
  expect(await serversOf(tenantId)).toEqual([true, true]);
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
  await move(servers, 'away', 'b');
  expect(await textsOn(b.url, tenantId)).toEqual(['1 old.', '2 new.']);
}, 60_000);

test('a move to a server that was restored to a time at which the tenant worked there replaces the old rows', async () => {
  const tenantId = await tenantIdOf(a.url, 'begun');
  await untilRemembered('begun', '1 old.');
  await move(servers, 'begun', 'a');
  await untilRemembered('begun', '2 new.');
  await rewindTenant(b.url, tenantId);
  expect(await move(servers, 'begun', 'b')).toContain('is on b');
  expect(await serversOf(tenantId)).toEqual([false, true]);
  expect(await textsOn(b.url, tenantId)).toEqual(['1 old.', '2 new.']);
}, 60_000);

test('restored before the switch to a time at which the tenant worked there: nothing is switched, and no row is deleted', async () => {
  const tenantId = await tenantIdOf(a.url, 'again');
  await untilRemembered('again', '1 old.');
  await move(servers, 'again', 'a');
  await untilRemembered('again', '2 new.');
  await failMove(servers, 'again', 'b', 'switch');
  // It worked there with the seal of no move.
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
}, 60_000);

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
    await expect(move(servers, 'came', 'a')).resolves.toContain('is on a again');
    expect(await serversOf(tenantId)).toEqual([true, false]);
    await waitUntil(async () => (await clientOf(gateway.url, 'came').call('list_scopes')).status === 200);
  } finally {
    await gateway.stop();
  }
  await untilRemembered('came', '3 after.');
  expect(await textsOn(a.url, tenantId)).toEqual(['1 old.', '3 after.']);
  expect(await move(servers, 'came', 'b')).toContain('is on b');
}, 60_000);
