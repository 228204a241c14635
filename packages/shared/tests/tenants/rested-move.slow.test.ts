import type { TenantId } from '@continuity/kernel/database';
import { afterAll, expect, test } from 'vitest';
import { activateProfile } from '../../src/memory/embedding/profile.ts';
import { deleteLeftTenants } from '../../src/tenants/move/delete-tenant.ts';
import { runMove } from '../../src/tenants/move/run-move.ts';
import { openMoveSession } from '../../src/tenants/move/session.ts';
import { fillWithVectors, testProfile } from '../support/embed.ts';
import { startTwoServers } from '../support/two-servers.ts';

const { a, b, servers, createTenant, stop } = await startTwoServers();

afterAll(stop);

/** Creates a tenant with an entry and its vector on the first server. */
async function createTenantWithVector(name: string): Promise<TenantId> {
  const tenantId = await createTenant(name);
  const profileKey = await activateProfile(a.sql, testProfile);
  await fillWithVectors(a, { tenantId, scopeId: 'one', profileKey }, ['The port is 8000.']);
  return tenantId;
}

const move = (tenant: string, { isAbort = false, until }: { isAbort?: boolean; until?: string } = {}) =>
  runMove(servers, { tenant, to: 'b', isAbort }, (step) => {
    if (step === until) throw new Error('stopped');
  });

const vectorsOf = async (tenantId: TenantId) =>
  (
    await b.pool.query(
      'SELECT profile_id FROM memory_embeddings JOIN embedding_profiles USING (profile_key) WHERE tenant_id = $1',
      [tenantId],
    )
  ).rows;

test('a move that has rested while more rows changed than fit the memory is refused, and begins again after an abort', async () => {
  const tenantId = await createTenantWithVector('busy');
  await expect(move('busy', { until: 'compare' })).rejects.toThrow('stopped');
  await a.pool.query(
    `INSERT INTO tenant_changes (tenant_id, table_name, key)
     SELECT $1::int, 'scopes', ARRAY[$1::text, number::text] FROM generate_series(1, 500001) AS number`,
    [tenantId],
  );
  await expect(move('busy')).rejects.toThrow('More than 500000 rows have changed');
  expect(await move('busy', { isAbort: true })).toContain('stays on a');
  expect(await move('busy')).toContain('is on b');
  expect(await vectorsOf(tenantId)).toHaveLength(1);
});

test('a row that changes often is applied once', async () => {
  const tenantId = await createTenantWithVector('often');
  await expect(move('often', { until: 'compare' })).rejects.toThrow('stopped');
  await a.pool.query(
    `INSERT INTO tenant_changes (tenant_id, table_name, key)
     SELECT $1::int, 'scopes', ARRAY[$1::text, '1'] FROM generate_series(1, 500001)`,
    [tenantId],
  );
  expect(await move('often')).toContain('is on b');
});

test('a move keeps its embedding profiles from being deleted on the other server, and notices if they are', async () => {
  const tenantId = await createTenantWithVector('rested');
  await expect(move('rested', { until: 'compare' })).rejects.toThrow('stopped');
  await b.pool.query("UPDATE embedding_profiles SET seen_at = now() - interval '2 days'");
  await expect(move('rested', { until: 'block' })).rejects.toThrow('stopped');
  const { rows } = await b.pool.query(
    "SELECT seen_at > now() - interval '1 day' AS is_used FROM embedding_profiles",
  );
  expect(rows).toEqual([{ is_used: true }]);
  await b.pool.query("UPDATE embedding_profiles SET profile_id = 'another', profile_key = profile_key + 1");
  await expect(move('rested')).rejects.toThrow('An embedding profile of the tenant is gone');
  await move('rested', { isAbort: true });
  expect(await move('rested')).toContain('is on b');
  expect(await vectorsOf(tenantId)).toEqual([{ profile_id: testProfile.profileId }]);
});

test('tenants clean passes over a tenant that another run has moved back or cleaned meanwhile', async () => {
  const names = ['clean-1', 'clean-2', 'clean-3'];
  for (const name of names) {
    const tenantId = await createTenantWithVector(name);
    await a.pool.query(
      "INSERT INTO tenant_moves (tenant_id, name, state, peer, run) VALUES ($1, $2, 'left', 'b', gen_random_uuid())",
      [tenantId, name],
    );
  }
  const meanwhile = [
    "DELETE FROM tenant_moves WHERE name = 'clean-1'",
    "UPDATE tenant_moves SET deleted_at = now() WHERE name = 'clean-2'",
  ];
  const session = await openMoveSession(servers[0].directUrl, 'a');
  const cleaned = await deleteLeftTenants(session, 0, async () => {
    const change = meanwhile.shift();
    if (change !== undefined) await a.pool.query(change);
    return true;
  });
  await session.end();
  expect(cleaned.filter((name) => names.includes(name))).toEqual(['clean-3']);
  const { rows } = await a.pool.query('SELECT name FROM tenants WHERE name = ANY($1) ORDER BY name', [names]);
  expect(rows).toEqual([{ name: 'clean-1' }, { name: 'clean-2' }]);
});
