import { underLoad } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdLock, scopeCalls, whenWaiting } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let service: TestService;
let scope: ReturnType<typeof scopeCalls>;

beforeAll(async () => {
  service = await startService();
  scope = scopeCalls(service);
});

afterAll(() => service.stop());

const lockTenants = 'SELECT FROM tenants FOR NO KEY UPDATE';

describe('spec 10 scenario 6: the hierarchy has no cycle', () => {
  test('of A under B and B under A at once exactly one succeeds', async () => {
    const [a, b] = [await scope.made(), await scope.made()];
    const release = await holdLock(service.databaseUrl, lockTenants);
    const updates = [scope.update(a, 1, { parent_scope_id: b }), scope.update(b, 1, { parent_scope_id: a })];
    await whenWaiting(service.databaseUrl, 2);
    await release();
    const replies = await Promise.all(updates);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = replies.find(({ status }) => status === 409)?.error;
    expect([refused?.code, refused?.details['reason']]).toEqual(['scope_conflict', 'cycle']);
    const parents = await Promise.all([a, b].map(async (id) => (await scope.get(id)).body.parent_scope_id));
    expect(parents.filter((parent) => parent !== null)).toHaveLength(1);
  });

  test('of a ring closed by many at once one part stays open', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ring = await Promise.all(Array.from({ length: 6 }, () => scope.made()));
      const replies = await Promise.all(
        ring.map((id, index) => scope.update(id, 1, { parent_scope_id: ring[(index + 1) % 6] ?? null })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409]);
    }
  });

  test('a Scope under its own descendant, however deep, is 409; elsewhere it moves with all below it', async () => {
    const [root, middle, leaf, other] = [
      await scope.made(),
      await scope.made(),
      await scope.made(),
      await scope.made(),
    ];
    await scope.update(middle, 1, { parent_scope_id: root });
    await scope.update(leaf, 1, { parent_scope_id: middle });
    for (const below of [middle, leaf]) {
      const reply = await scope.update(root, 1, { parent_scope_id: below });
      expect([reply.status, reply.error?.details]).toEqual([409, { reason: 'cycle' }]);
    }
    expect((await scope.get(root)).body).toMatchObject({ version: 1, parent_scope_id: null });
    expect((await scope.update(middle, 2, { parent_scope_id: other })).body.version).toBe(3);
    expect(await scope.below(other)).toEqual([other, middle, leaf]);
    expect((await scope.update(root, 1, { parent_scope_id: leaf })).status).toBe(200);
  });

  test('a Scope as its own parent or reference is 422, whether it exists or not', async () => {
    for (const id of [await scope.made(), 'not there']) {
      const parent = await scope.update(id, 1, { parent_scope_id: id });
      expect(parent.error?.details).toEqual({
        issues: [{ path: 'parent_scope_id', message: 'is the Scope itself' }],
      });
      const reference = await scope.update(id, 7, { context_references: ['unknown', id] });
      expect([reference.status, reference.error?.details]).toEqual([
        422,
        { issues: [{ path: 'context_references[1]', message: 'is the Scope itself' }] },
      ]);
    }
  });

  test('a chain of 3,000 is moved, and its end refused as the parent of its head, within seconds', async () => {
    await query(
      service.databaseUrl,
      `INSERT INTO scopes (tenant_id, scope_id, title, summary, parent_scope_id)
       SELECT tenant_id, 'chain-' || n, 'T', 'S', CASE WHEN n > 0 THEN 'chain-' || n - 1 END
       FROM tenants, generate_series(0, 2999) AS n WHERE name = 'default'`,
    );
    const started = performance.now();
    const refused = await scope.update('chain-0', 1, { parent_scope_id: 'chain-2999' });
    expect(refused.error?.details).toEqual({ reason: 'cycle' });
    const top = await scope.made();
    expect((await scope.update('chain-0', 1, { parent_scope_id: top })).status).toBe(200);
    expect(await scope.below(top)).toHaveLength(3001);
    expect(performance.now() - started).toBeLessThan(underLoad(10_000));
  });
});

describe('spec 10 scenario 6: versions', () => {
  test('two updates from version 3: one 200 with version 4, one 409 with both numbers', async () => {
    const id = await scope.made();
    for (const version of [1, 2]) await scope.update(id, version);
    const release = await holdLock(
      service.databaseUrl,
      `SELECT FROM scopes WHERE scope_id = '${id}' FOR NO KEY UPDATE`,
    );
    const updates = ['one', 'two'].map((title) => scope.update(id, 3, { title }));
    await whenWaiting(service.databaseUrl, 2);
    await release();
    const replies = await Promise.all(updates);
    const accepted = replies.find(({ status }) => status === 200);
    const refused = replies.find(({ status }) => status === 409);
    expect(accepted?.body.version).toBe(4);
    expect(refused?.error).toMatchObject({
      code: 'scope_conflict',
      details: { expected_version: 3, current_version: 4 },
    });
    expect((await scope.get(id)).body).toEqual(accepted?.body);
  });

  test('each accepted update adds one, also when nothing differs; a version to come is stale too', async () => {
    const id = await scope.made();
    for (const version of [1, 2, 3]) {
      expect((await scope.update(id, version)).body.version).toBe(version + 1);
    }
    for (const expected of [1, 3, 5, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      const details = { expected_version: expected, current_version: 4 };
      expect((await scope.update(id, expected)).error?.details).toEqual(details);
    }
    for (const expected_version of [0, -1, 1.5, '4', null, 2 ** 53, undefined]) {
      const body = { title: 'T', summary: 'S', expected_version };
      expect((await service.send('PUT', `/v1/scopes/${id}`, body)).status).toBe(422);
    }
  });
});

test('an update replaces the whole descriptor', async () => {
  const [parent, reference] = [await scope.made(), await scope.made()];
  const full = {
    title: 'Full',
    parent_scope_id: parent,
    context_references: [reference],
    external_references: [{ kind: 'k', value: 'v' }],
  };
  const id = await scope.made(full);
  const updated = await scope.update(id, 1);
  expect(updated.body).toEqual({
    scope_id: id,
    title: 'A title',
    summary: 'A summary.',
    parent_scope_id: null,
    context_references: [],
    external_references: [],
    version: 2,
  });
  expect((await scope.get(id)).body).toEqual(updated.body);
  expect((await scope.update(id, 2, full)).body).toMatchObject({ ...full, version: 3 });
  const withId = { title: 'T', summary: 'S', expected_version: 3, scope_id: 'new-id' };
  expect((await service.send('PUT', `/v1/scopes/${id}`, withId)).status).toBe(422);
});

test('404 is judged before the version, and nothing changes', async () => {
  const id = await scope.made();
  const calls: [Parameters<typeof scope.update>, string][] = [
    [['unknown', 1], 'unknown'],
    [['unknown', 1, { parent_scope_id: 'nowhere' }], 'unknown'],
    [[id, 9, { parent_scope_id: 'nowhere', context_references: ['a'] }], 'nowhere'],
    [[id, 9, { context_references: ['z', 'b'] }], 'b'],
  ];
  for (const [call, scope_id] of calls) {
    const reply = await scope.update(...call);
    expect([reply.status, reply.error?.details]).toEqual([404, { scope_id }]);
  }
  expect((await scope.get(id)).body.version).toBe(1);
  expect((await scope.get('nowhere')).status).toBe(404);
});

test('moving a Scope changes no reference, binding, default, Source or Artifact', async () => {
  const id = await scope.captured('moved');
  const referrer = await scope.made({ context_references: [id] });
  const key = { integration: 'i', kind: 'k', external_id: 'moved' };
  await service.call('set_scope_binding', { body: { key, scope_id: id } });
  await service.call('set_default_scope', { body: { scope_id: id } });
  await service.call('remember_memory', { body: { scope_id: id, kind: 'fact', text: 'Otters swim.' } });
  const before = await everythingAbout(id, referrer, key);
  await scope.update(id, 1, { parent_scope_id: await scope.made() });
  expect(await everythingAbout(id, referrer, key)).toEqual(before);
});

async function everythingAbout(
  scope_id: string,
  referrer: string,
  key: { integration: string; kind: string; external_id: string },
) {
  const source = { scope_id, source_type: 'content', source_id: 's' };
  return {
    references: (await scope.get(referrer)).body,
    bound: (await service.call('resolve_scope_binding', { body: { binding_keys: [key] } })).body.scope_id,
    default: (await service.call('get_default_scope')).body.scope_id,
    source: (await service.call('get_source', { params: source })).body,
    memory: (await service.call('list_memory_entries', { body: { scope_id } })).body,
  };
}
