import { operations, successesOf } from '@continuity/contract/operations';
import { openDatabase } from '@continuity/kernel/database';
import { MoveWatch } from '@continuity/shared/tenants';
import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { externalSkills } from '../contract/support/external-skills.ts';
import { provokeSuccess } from '../contract/support/provocations.ts';
import { freshScope } from '../support/memory.ts';
import {
  clean,
  countRows,
  holdTable,
  isServedBy,
  move,
  placeOf,
  rowsOf,
  runCommand,
  startCommand,
  startMoveDeployment,
  tenantIdOf,
  textsOn,
} from '../support/moves.ts';
import { remember } from '../support/servers.ts';
import { query } from '../support/sql.ts';
import { startWriter } from '../support/tenant-writer.ts';

const scope_id = freshScope();
const { a, b, servers, file, deployment, stop } = await startMoveDeployment(
  { a: ['default', 'small'], b: ['other', 'noisy'] },
  { workers: true, environment: externalSkills },
);
const client = Object.assign(deployment.client('default'), { databaseUrl: a.url });

afterAll(stop);

/** Texts that a search finds; undefined while the service refuses the tenant. */
const search = async (tenant: string, text: string) => {
  const answer = await deployment.client(tenant).call('search_memory', { body: { scope_id, query: text } });
  return answer.status === 503 ? undefined : answer.body.hits.map((hit) => hit.text);
};

/** Adds rows of what only other releases and models write, so that no table is empty. */
async function plantRest(url: string, tenantId: number): Promise<void> {
  const [row] = await query<{ scope_key: number; artifact_key: number; entry_id: string }>(
    url,
    'SELECT scope_key, artifact_key, entry_id FROM memory_states WHERE tenant_id = $1 LIMIT 1',
    [tenantId],
  );
  const [profile] = await query<{ profile_key: number }>(
    url,
    "INSERT INTO embedding_profiles (profile_id, model, dimension) VALUES ('p', 'm', 3) RETURNING profile_key",
  );
  const values = [tenantId, row?.scope_key, profile?.profile_key, row?.artifact_key, row?.entry_id];
  await query(
    url,
    "INSERT INTO memory_embeddings VALUES ($1, $2, $3, $4, $5, '{0.1,-0.2,0.3}', '\\x0001ff')",
    values,
  );
  await query(
    url,
    "INSERT INTO memory_embeddings VALUES ($1, $2, -$3::int, $4, $5, '{0.5,0,1}', NULL)",
    values,
  );
  await query(url, "INSERT INTO failed_embeddings VALUES ($1, $2, $3, $4, $5, 1, 'why', 1, NULL)", values);
  await query(
    url,
    'INSERT INTO memory_embedding_totals (tenant_id, scope_key, profile_key, embedded, is_quantized) VALUES ($1, $2, $3, 1, true)',
    values.slice(0, 3),
  );
  await query(url, 'INSERT INTO memory_embedding_cursors VALUES ($1, $3, $2, 1)', [
    tenantId,
    profile?.profile_key,
    row?.artifact_key,
  ]);
  await query(url, 'INSERT INTO work_record_backfills VALUES ($1, $2)', [tenantId, row?.scope_key]);
  await query(
    url,
    `INSERT INTO reindexes (tenant_id, scope_key, corpus, claim, claimed_until, behind) VALUES ($1, $2, 'x', gen_random_uuid(), now(), 0)`,
    [tenantId, row?.scope_key],
  );
  const [source] = await query<{ scope_key: number; position: number }>(
    url,
    'SELECT scope_key, position FROM sources WHERE tenant_id = $1 LIMIT 1',
    [tenantId],
  );
  const place = [tenantId, source?.scope_key, source?.position];
  await query(
    url,
    "INSERT INTO parked_sources (tenant_id, scope_key, position, reason) VALUES ($1, $2, $3, 'why')",
    place,
  );
  await query(url, "INSERT INTO source_left_out VALUES ($1, $2, $3, 'why', 1) ON CONFLICT DO NOTHING", place);
  await query(url, 'INSERT INTO source_flushes VALUES ($1, $2, $3, 0, NULL) ON CONFLICT DO NOTHING', place);
  const scope = place.slice(0, 2);
  await query(
    url,
    "INSERT INTO model_usage_days VALUES ($1, $2, '2026-01-02', 'memory', 'embedding', 1, 2, 3)",
    scope,
  );
  await query(
    url,
    "INSERT INTO recall_days (tenant_id, scope_key, day, estimator) VALUES ($1, $2, '2026-01-02', 'x')",
    scope,
  );
  await query(url, "INSERT INTO scope_bindings VALUES ($1, 'x', 'x', 'x', $2) ON CONFLICT DO NOTHING", scope);
  await query(
    url,
    `INSERT INTO report_project_creations SELECT tenant_id, 'key', '\\x01', project_id FROM report_projects WHERE tenant_id = $1 LIMIT 1`,
    [tenantId],
  );
}

test('a tenant with rows in every table moves, and everything works on the other server', async () => {
  const tenantId = await tenantIdOf(a.url, 'default');
  for (const operation of operations.filter(({ tag }) => tag !== 'system'))
    await provokeSuccess(client, operation, successesOf(operation)[0]?.status ?? 200);
  await remember(
    deployment,
    'default',
    scope_id,
    `Long words: ${'ä"\\{},\n '.repeat(3_000)}`.slice(0, 4_000),
  );
  await plantRest(a.url, tenantId);
  await waitUntil(
    async () =>
      (
        await query(a.url, "SELECT FROM jobs WHERE tenant_id = $1 AND status IN ('queued', 'running')", [
          tenantId,
        ])
      ).length === 0,
  );
  const before = await rowsOf(a.url, tenantId);
  // A table that no operation fills would be moved without being tested.
  expect(
    Object.entries(before)
      .filter(([, rows]) => rows.length === 0)
      .map(([table]) => table),
  ).toEqual([]);
  await move(servers, 'default', 'b');
  expect(await placeOf(a.url, 'default')).toBe('b');
  // The rows that have left do not change any more.
  expect(await rowsOf(b.url, tenantId)).toEqual(await rowsOf(a.url, tenantId));
  expect(
    await query(
      b.url,
      'SELECT FROM memory_embeddings e JOIN embedding_profiles p ON p.profile_key = abs(e.profile_key) WHERE tenant_id = $1',
      [tenantId],
    ),
  ).toHaveLength(2);
  await waitUntil(async () => (await deployment.client('default').call('list_scopes')).status === 200);
  const moved = Object.assign(deployment.client('default'), { databaseUrl: b.url });
  for (const operation of operations.filter(({ id }) =>
    ['flush_memory', 'create_remote_skill_target', 'list_jobs'].includes(id),
  )) {
    const status = successesOf(operation)[0]?.status ?? 200;
    expect((await provokeSuccess(moved, operation, status)).status).toBe(status);
  }
  expect(await remember(deployment, 'default', scope_id, 'After the move.')).toBe(200);
  expect(await search('default', 'After the move')).toContain('After the move.');
});

test('the old server refuses writes and reads of a tenant that has left, also by a process that missed the move', async () => {
  const tenantId = await tenantIdOf(a.url, 'default');
  const write = (url: string) =>
    query(url, 'UPDATE scopes SET title = title WHERE tenant_id = $1', [tenantId]);
  await expect(write(a.url)).rejects.toMatchObject({ code: 'CS002' });
  await expect(query(a.url, 'DELETE FROM jobs WHERE tenant_id = $1', [tenantId])).rejects.toMatchObject({
    code: 'CS002',
  });
  await write(b.url);
  const database = openDatabase({ url: a.url, size: 2, name: 'test', onIdleError: () => undefined });
  const watch = new MoveWatch(database);
  try {
    // The gateways of the deployment mark the tenant as left again at any time.
    await waitUntil(async () => {
      await query(a.url, "UPDATE tenant_moves SET state = 'leaving' WHERE tenant_id = $1", [tenantId]);
      return await watch.requireHere(tenantId).then(
        () => true,
        () => false,
      );
    });
    await query(a.url, "UPDATE tenant_moves SET state = 'left' WHERE tenant_id = $1", [tenantId]);
    // A process that was frozen for two seconds does not trust what it has read.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
    await expect(watch.requireHere(tenantId)).rejects.toMatchObject({ code: 'database_unavailable' });
  } finally {
    vi.useRealTimers();
    await database.close();
  }
});

test('the rows on the old server are deleted by a command, and it goes on refusing the tenant', async () => {
  const tenantId = await tenantIdOf(a.url, 'default');
  const rows = await rowsOf(b.url, tenantId);
  expect((await runCommand(file, 'clean')).output).toContain('Nothing to delete on a.');
  expect(await countRows(a.url, tenantId)).toBeGreaterThan(0);
  expect(await clean(servers, 0)).toEqual(['Deleted the rows of "default" on a.', 'Nothing to delete on b.']);
  expect(await countRows(a.url, tenantId)).toBe(0);
  expect(await rowsOf(b.url, tenantId)).toEqual(rows);
  expect(await isServedBy(a.url, tenantId)).toBe(false);
  expect(await query(a.url, "SELECT FROM pg_trigger WHERE tgname LIKE 'tenant_move_%'")).toEqual([]);
  const database = openDatabase({ url: a.url, size: 2, name: 'test', onIdleError: () => undefined });
  const watch = new MoveWatch(database);
  const isRead = async () => {
    await watch.refresh();
    return watch.names.has('default');
  };
  expect(await isRead()).toBe(true);
  await query(a.url, "UPDATE tenant_moves SET deleted_at = now() - interval '8 days'");
  expect(await isRead()).toBe(false);
  await database.close();
});

test('spec 10 scenario 32: killed at each step under load, the same command goes on: no write is lost, none is doubled', async () => {
  const tenantId = await tenantIdOf(a.url, 'small');
  const writer = startWriter(deployment, 'small', scope_id);
  const other = startWriter(deployment, 'other', scope_id);
  await waitUntil(() => writer.acknowledged.length > 5);
  /** Kills a run at a step. False if this run, or the one before it, got to the end of the move. */
  const killAt = async (step: string) => {
    const command = startCommand(file, 'move', 'small', '--to', 'b');
    let hasEnded = false;
    void command.exited.then(() => {
      hasEnded = true;
    });
    await waitUntil(() => hasEnded || command.output().includes(`step: ${step}`), { intervalMs: 5 });
    command.kill('SIGKILL');
    const { code, signal } = await command.exited;
    const served = [await isServedBy(a.url, tenantId), await isServedBy(b.url, tenantId)];
    expect(served.filter(Boolean).length).toBeLessThanOrEqual(1);
    if (signal === 'SIGKILL') return true;
    expect(code, command.output()).toBe(0);
    return false;
  };
  for (const step of ['prepare', 'copy', 'compare', 'block', 'leave', 'activate', 'switch']) {
    // A kill takes effect later than its step is read: the run may have got further, and so the next one may not come to its step.
    while (!(await killAt(step))) expect(await move(servers, 'small', 'a')).toContain('is on a');
  }
  expect(await runCommand(file, 'move', 'small', '--to', 'b')).toMatchObject({ code: 0 });
  expect(await placeOf(a.url, 'small')).toBe('b');
  const count = writer.acknowledged.length;
  await waitUntil(() => writer.acknowledged.length > count + 5);
  await Promise.all([writer.stop(), other.stop()]);
  // Refused writes said when to repeat them, and every acknowledged one was read back.
  expect(writer.problems).toEqual([]);
  expect(other.problems).toEqual([]);
  expect(other.refused).toBe(0);
  const known = await textsOn(b.url, tenantId);
  for (const text of writer.acknowledged) expect(known.filter((one) => one === text)).toEqual([text]);
  expect(new Set(known).size).toBe(known.length);
  expect(await query(b.url, "SELECT FROM pg_trigger WHERE tgname LIKE 'tenant_move_%'")).toEqual([]);
});

test('a move is taken back until the tenant works on the other server; a later move begins anew', async () => {
  const tenantId = await tenantIdOf(a.url, 'noisy');
  expect(await remember(deployment, 'noisy', scope_id, 'Before.')).toBe(200);
  for (const step of ['copy', 'activate']) {
    await expect(
      move(servers, 'noisy', 'a', {
        onStep: (one) => {
          if (one === step) throw new Error('stopped');
        },
      }),
    ).rejects.toThrow('stopped');
    expect(await move(servers, 'noisy', 'a', { isAbort: true })).toContain('stays on b');
    expect(await countRows(a.url, tenantId)).toBe(0);
    await waitUntil(async () => (await remember(deployment, 'noisy', scope_id, `After ${step}.`)) === 200);
  }
  expect(await query(b.url, 'SELECT FROM tenant_changes')).toEqual([]);
  expect(await move(servers, 'noisy', 'a')).toContain('is on a');
  await expect(move(servers, 'noisy', 'a', { isAbort: true })).rejects.toThrow('Move it back instead');
  await waitUntil(async () => (await search('noisy', 'After activate'))?.[0] === 'After activate.');
  // Back, over the rows that it has left there.
  expect(await remember(deployment, 'noisy', scope_id, 'On a.')).toBe(200);
  expect(await move(servers, 'noisy', 'b')).toContain('is on b');
  await waitUntil(async () => (await remember(deployment, 'noisy', scope_id, 'Back.')) === 200);
  expect(await search('noisy', 'On a')).toContain('On a.');
});

test('two runs at once: the second one is refused, as are wrong names and a server that is down', async () => {
  // The first one waits for this table before it ends.
  const release = await holdTable(a.url, 'scopes', 'ROW EXCLUSIVE');
  const first = move(servers, 'other', 'a');
  await waitUntil(
    async () => (await query(b.url, "SELECT FROM tenant_moves WHERE name = 'other'")).length > 0,
  );
  await expect(move(servers, 'other', 'a')).rejects.toThrow('Another run of this command');
  await release();
  await first;
  expect(await move(servers, 'other', 'a')).toBe('The tenant "other" is on a.');
  await expect(move(servers, 'nobody', 'a')).rejects.toThrow('The directory lists no tenant "nobody"');
  await expect(move(servers, 'other', 'c')).rejects.toThrow(
    'No server of DATABASE_SERVERS_FILE has the name "c"',
  );
  const down = servers.map((server) =>
    server.name === 'b' ? { ...server, url: 'postgresql://x@127.0.0.1:1/x' } : server,
  );
  await expect(move(down, 'other', 'b')).rejects.toThrow(/^Database server b: .*ECONNREFUSED/);
  const exchanged = [
    { name: 'a', url: a.url },
    { name: 'b', url: a.url },
  ];
  await expect(move(exchanged, 'other', 'b')).rejects.toThrow('is another server');
  expect(await placeOf(a.url, 'other')).toBe('a');
  await query(b.url, "INSERT INTO tenants (name) VALUES ('twin')");
  await query(a.url, "INSERT INTO tenant_servers (name, server) VALUES ('twin', 'a')");
  await expect(move(servers, 'twin', 'b')).rejects.toThrow('has another tenant of this name');
  expect(await runCommand(file, 'move', 'other')).toMatchObject({ code: 2 });
});
