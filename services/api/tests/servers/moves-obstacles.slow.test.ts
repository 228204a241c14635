import { waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { freshScope } from '../support/memory.ts';
import {
  failMove,
  move,
  placeOf,
  runCommand,
  startMoveDeployment,
  tenantIdOf,
  textsOn,
} from '../support/moves.ts';
import { remember } from '../support/servers.ts';
import { query } from '../support/sql.ts';

const scope_id = freshScope();
const { a, b, servers, file, deployment, stop } = await startMoveDeployment({
  a: ['full', 'migrated', 'paged'],
  b: ['other'],
});

afterAll(stop);

test('a server without space: the tenant works on, the message says which server and why, and the same command goes on', async () => {
  const tenantId = await tenantIdOf(a.url, 'full');
  expect(await remember(deployment, 'full', scope_id, '1 before.')).toBe(200);
  const problem = 'could not extend file "base/5/16384": No space left on device';
  await query(
    b.url,
    `CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION '${problem}' USING ERRCODE = 'disk_full'; END $$`,
  );
  await query(
    b.url,
    'CREATE TRIGGER disk_is_full BEFORE INSERT ON memory_versions FOR EACH ROW EXECUTE FUNCTION refuse_row()',
  );
  const failed = await runCommand(file, 'move', 'full', '--to', 'b');
  expect(failed.code).toBe(1);
  expect(failed.output).toContain(`Database server b: ${problem}`);
  expect(failed.output).toContain('Repeat the command when the cause is gone');
  expect(await placeOf(a.url, 'full')).toBe('a');
  expect(await remember(deployment, 'full', scope_id, '2 meanwhile.')).toBe(200);
  await query(b.url, 'DROP TRIGGER disk_is_full ON memory_versions');
  expect(await move(servers, 'full', 'b')).toContain('is on b');
  await waitUntil(async () => (await remember(deployment, 'full', scope_id, '3 after.')) === 200);
  expect(await textsOn(b.url, tenantId)).toEqual(['1 before.', '2 meanwhile.', '3 after.']);
});

test('servers with different schemas: a move is refused with what to do, and goes on once both are migrated', async () => {
  expect(await remember(deployment, 'migrated', scope_id, 'Before.')).toBe(200);
  const setRolledBack = (value: string) =>
    query(
      b.url,
      `UPDATE _prisma_migrations SET rolled_back_at = ${value}
       WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`,
    );
  await setRolledBack('now()');
  const refused = await runCommand(file, 'move', 'migrated', '--to', 'b');
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(
    /Database server b: .*older release: migrate it by `node dist\/migrate.mjs`/,
  );
  await setRolledBack('NULL');
  await failMove(servers, 'migrated', 'b', 'compare');
  await query(a.url, 'ALTER TABLE scopes ADD COLUMN later text');
  await expect(move(servers, 'migrated', 'b')).rejects.toThrow('different schemas: migrate them');
  expect(await remember(deployment, 'migrated', scope_id, 'Meanwhile.')).toBe(200);
  await query(b.url, 'ALTER TABLE scopes ADD COLUMN later text');
  await failMove(servers, 'migrated', 'b', 'block');
});

test('a migration while a move is about to block writes: it is refused, and begins again after an abort', async () => {
  const tenantId = await tenantIdOf(a.url, 'migrated');
  // A long write holds the block back until both servers are migrated.
  const writer = new pg.Client({ connectionString: a.url });
  await writer.connect();
  await writer.query('SELECT pg_advisory_lock_shared(72707370, $1)', [tenantId]);
  let migrated: Promise<void> | undefined;
  const migrate = async () => {
    for (const { url } of servers) await query(url, 'ALTER TABLE artifacts ADD COLUMN later text');
    await writer.end();
  };
  const onStep = (step: string) => {
    if (step === 'block') migrated ??= migrate();
  };
  await expect(move(servers, 'migrated', 'b', { onStep })).rejects.toThrow(
    'A migration has changed the tables meanwhile. Abort the move by --abort',
  );
  await migrated;
  expect(await remember(deployment, 'migrated', scope_id, 'After.')).toBe(200);
  expect(await move(servers, 'migrated', 'b', { isAbort: true })).toContain('stays on a');
  expect(await move(servers, 'migrated', 'b')).toContain('is on b');
  expect(await textsOn(b.url, tenantId)).toEqual(['After.', 'Before.', 'Meanwhile.']);
});

test('a cursor that was given before the move leads to the next page after it', async () => {
  const client = deployment.client('paged');
  const scopes = ['one', 'two', 'three', 'four'];
  for (const scope of scopes) await remember(deployment, 'paged', scope, 'A fact.');
  const all = (await client.call('list_scopes', { query: {} })).body.items.map((scope) => scope.scope_id);
  const first = await client.call('list_scopes', { query: { limit: '2' } });
  const cursor = String(first.body.next_cursor);
  expect(await move(servers, 'paged', 'b')).toContain('is on b');
  await waitUntil(async () => (await client.call('list_scopes', { query: { limit: '2' } })).status === 200);
  const second = await client.call('list_scopes', { query: { limit: '50', cursor } });
  expect(second.status).toBe(200);
  const ids = [...first.body.items, ...second.body.items].map((scope) => scope.scope_id);
  expect(ids).toEqual(all);
});
