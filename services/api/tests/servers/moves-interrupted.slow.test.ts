import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import {
  clean,
  countRows,
  failMove,
  forgetTenant,
  holdTable,
  isServedBy,
  move,
  placeOf,
  startMoveDeployment,
  tenantIdOf,
  textsOn,
} from '../support/moves.ts';
import { remember } from '../support/servers.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const scope_id = freshScope();
const { a, b, servers, deployment, stop } = await startMoveDeployment(
  { a: ['blocked', 'lost'], b: ['other'] },
  { workers: true },
);

afterAll(stop);

const statesOn = async (url: string, tenantId: number) =>
  (
    await query<{ state: string }>(url, 'SELECT state FROM tenant_moves WHERE tenant_id = $1', [tenantId])
  ).map(({ state }) => state);

test('jobs of a tenant run after its move was killed in the block, once the block has expired', async () => {
  const tenantId = await tenantIdOf(a.url, 'blocked');
  await failMove(servers, 'blocked', 'b', 'copy');
  await query(
    a.url,
    `UPDATE tenant_moves SET state = 'blocked', blocked_until = now() - interval '1 second' WHERE tenant_id = $1`,
    [tenantId],
  );
  const client = deployment.client('blocked');
  await capture(client, scope_id, 'turn', 'We decided to sail on Mondays.');
  const flushed = await client.call('flush_memory', { body: { scope_id } });
  expect(flushed.status).toBe(200);
});

test('a move that fails in the block accepts writes at once, and goes on later', async () => {
  const tenantId = await tenantIdOf(a.url, 'blocked');
  await failMove(servers, 'blocked', 'b', 'leave');
  expect(await statesOn(a.url, tenantId)).toEqual(['leaving']);
  expect(await remember(deployment, 'blocked', scope_id, 'After the block.')).toBe(200);
  expect(await move(servers, 'blocked', 'b')).toContain('is on b');
  expect(await query(b.url, "SELECT FROM memory_versions WHERE text = 'After the block.'")).toHaveLength(1);
});

test('a server that was restored to a backup during the move gets no tenant, and its tenant keeps its rows', async () => {
  const tenantId = await tenantIdOf(a.url, 'lost');
  const restores = [
    () => forgetTenant(b.url, tenantId),
    // It had copied all rows then, but not the last changes.
    () =>
      query(b.url, "UPDATE tenant_moves SET progress = progress - 'seal' WHERE tenant_id = $1", [tenantId]),
  ];
  for (const [number, restore] of restores.entries()) {
    const text = `Written ${number}.`;
    await waitUntil(async () => (await remember(deployment, 'lost', scope_id, text)) === 200);
    await failMove(servers, 'lost', 'b', 'activate');
    await restore();
    await expect(move(servers, 'lost', 'b')).rejects.toThrow('lacks the copy');
    expect(await placeOf(a.url, 'lost')).toBe('a');
    expect((await clean(servers, 0))[0]).toContain('Kept the rows of "lost"');
    expect(await countRows(a.url, tenantId)).toBeGreaterThan(0);
    expect(await move(servers, 'lost', 'b', { isAbort: true })).toContain('stays on a');
    expect([await isServedBy(a.url, tenantId), await isServedBy(b.url, tenantId)]).toEqual([true, false]);
  }
  expect(await move(servers, 'lost', 'b')).toContain('is on b');
  expect(await textsOn(b.url, tenantId)).toEqual(['Written 0.', 'Written 1.']);
});

test('a tenant that has no move does not lose the fence that its server before keeps', async () => {
  const tenantId = await tenantIdOf(a.url, 'lost');
  expect(await move(servers, 'lost', 'a', { isAbort: true })).toContain('stays on b');
  await expect(
    query(a.url, 'UPDATE scopes SET title = title WHERE tenant_id = $1', [tenantId]),
  ).rejects.toMatchObject({ code: 'CS002' });
});

test('a move waits for a long write, and a server takes part in one move at a time', async () => {
  const release = await holdTable(a.url, 'scopes', 'ROW EXCLUSIVE');
  const first = move(servers, 'other', 'a');
  await waitUntil(
    async () => (await query(b.url, "SELECT FROM tenant_moves WHERE name = 'other'")).length > 0,
  );
  await expect(move(servers, 'blocked', 'a')).rejects.toThrow('one move at a time');
  await release();
  expect(await first).toContain('is on a');
});
