import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import {
  clean,
  failMove,
  holdTable,
  move,
  placeOf,
  startMoveDeployment,
  tenantIdOf,
  textsOn,
} from '../support/moves.ts';
import { query } from '../support/sql.ts';
import { startWriter } from '../support/tenant-writer.ts';

const scope_id = freshScope();
const { a, b, servers, deployment, stop } = await startMoveDeployment({ a: ['read'], b: ['taken', 'other'] });

afterAll(stop);

/** Tables with triggers of a tenant. */
const fencedTables = async (url: string, tenantId: number) =>
  (
    await query<{ name: string }>(
      url,
      'SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE starts_with(tgname, $1)',
      [`tenant_move_${tenantId}_`],
    )
  ).map(({ name }) => name);

/** Ends the sessions of moves on a server, as its failover does. */
const endSessions = async (url: string) =>
  await query(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'continuity-move' AND datname = current_database()`,
  );

test('a long reader of a table neither fails a move nor disturbs other tenants; a later command drops the triggers', async () => {
  const tenantId = await tenantIdOf(a.url, 'read');
  const release = await holdTable(b.url, 'memory_versions', 'ACCESS SHARE');
  const other = startWriter(deployment, 'other', scope_id);
  const writer = startWriter(deployment, 'read', scope_id);
  await waitUntil(() => writer.acknowledged.length > 0);
  const [, named = ''] =
    /stay on tables that were in use \((.*?)\)/.exec(await move(servers, 'read', 'b')) ?? [];
  // On a busy machine, the writers may use other tables for as long.
  const fenced = await fencedTables(b.url, tenantId);
  expect(fenced).toContain('memory_versions');
  expect(named.split(', ').toSorted()).toEqual(fenced.toSorted());
  const count = writer.acknowledged.length;
  await waitUntil(() => writer.acknowledged.length > count + 5);
  await Promise.all([writer.stop(), other.stop()]);
  await release();
  expect(await clean(servers, 3_600)).toEqual(['Nothing to delete on a.', 'Nothing to delete on b.']);
  expect(await fencedTables(b.url, tenantId)).toEqual([]);
  // The server before goes on refusing the tenant.
  expect(await fencedTables(a.url, tenantId)).toContain('memory_versions');
  expect([...writer.problems, ...other.problems]).toEqual([]);
  expect(other.refused).toBe(0);
});

test('a run that has lost the directory keeps others away; once it has lost its server, it changes nothing there', async () => {
  const tenantId = await tenantIdOf(a.url, 'taken');
  await failMove(servers, 'taken', 'a', 'compare');
  const writer = startWriter(deployment, 'taken', scope_id);
  await waitUntil(() => writer.acknowledged.length > 0);
  // The abort deletes its state on b, then waits for this table.
  const release = await holdTable(b.url, 'memory_versions', 'ACCESS SHARE');
  const abort = move(servers, 'taken', 'a', { isAbort: true }).then(String, String);
  await waitUntil(
    async () =>
      (await query(b.url, 'SELECT FROM tenant_moves WHERE tenant_id = $1', [tenantId])).length === 0,
  );
  await endSessions(a.url);
  await expect(move(servers, 'taken', 'a')).rejects.toThrow('Another run of this command');
  await endSessions(b.url);
  expect(await move(servers, 'taken', 'a')).toContain('is on a');
  expect(await abort).toMatch(/terminat|Connection|not queryable/i);
  await release();
  expect(await placeOf(a.url, 'taken')).toBe('a');
  // The server before goes on refusing the tenant.
  expect(await fencedTables(b.url, tenantId)).toContain('memory_versions');
  const count = writer.acknowledged.length;
  await waitUntil(() => writer.acknowledged.length > count + 5);
  await writer.stop();
  expect(writer.problems).toEqual([]);
  expect(await textsOn(a.url, tenantId)).toEqual(expect.arrayContaining(writer.acknowledged));
});
