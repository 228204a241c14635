import type { Client } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcome, scopeCalls } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

let service: TestService;
let tenants: { a: Client; b: Client };
let ofA: ReturnType<typeof scopeCalls>;
let ofB: ReturnType<typeof scopeCalls>;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('a', 'b') } });
  tenants = { a: clientOf(service.url, 'a'), b: clientOf(service.url, 'b') };
  ofA = scopeCalls(tenants.a);
  ofB = scopeCalls(tenants.b);
});

afterAll(() => service.stop());

const key = { integration: 'i', kind: 'k', external_id: 'shared' };

describe('spec 10 scenario 29: the data of tenant A is unknown to tenant B', () => {
  test('an id of A gets the same answer as an unknown id', async () => {
    const known = await ofB.made();
    const secret = await ofA.captured('of-tenant-a');
    const ask = async (id: string) => [
      await ofB.get(id),
      await ofB.update(id, 1),
      await ofB.update(id, 9, { parent_scope_id: known }),
      await ofB.update(known, 1, { parent_scope_id: id }),
      await ofB.update(known, 1, { context_references: [id] }),
      await ofB.create({ parent_scope_id: id }),
      await ofB.create({ context_references: [known, id] }),
      await ofB.exact(id, known),
      await tenants.b.call('resolve_scope_selection', {
        body: { selection: { mode: 'subtree', root_scope_id: id } },
      }),
      await tenants.b.call('set_default_scope', { body: { scope_id: id } }),
      await tenants.b.call('set_scope_binding', { body: { key, scope_id: id } }),
      await tenants.b.call('resolve_scope_binding', { body: { explicit_scope_id: id } }),
    ];
    const strange = (await ask(secret)).map((reply) => JSON.stringify(outcome(reply)));
    const unknown = (await ask('unknown-to-all')).map((reply) => JSON.stringify(outcome(reply)));
    expect(strange.map((text) => text.replaceAll(secret, 'unknown-to-all'))).toEqual(unknown);
    expect((await ofA.get(secret)).body.version).toBe(1);
  });

  test('lists, selections and the default hold the own Scopes only', async () => {
    await ofA.captured('only-a');
    await ofB.captured('only-b');
    const all = { selection: { mode: 'all' as const } };
    for (const [client, own, strange] of [
      [tenants.a, 'only-a', 'only-b'],
      [tenants.b, 'only-b', 'only-a'],
    ] as const) {
      const listed = (await client.call('list_scopes')).body.items.map(({ scope_id }) => scope_id);
      const selected = (await client.call('resolve_scope_selection', { body: all })).body.items;
      expect(listed).toContain(own);
      expect(listed).not.toContain(strange);
      expect(selected.map(({ scope_id }) => scope_id)).toEqual(listed);
    }
    const [a, b] = [await tenants.a.call('get_default_scope'), await tenants.b.call('get_default_scope')];
    expect(a.body.scope_id).not.toBe(b.body.scope_id);
  });

  test('an equal id names two Scopes in separate trees', async () => {
    for (const own of [ofA, ofB]) for (const id of ['x', 'y']) await own.captured(id);
    await ofA.update('x', 1, { parent_scope_id: 'y', title: 'Of A' });
    expect((await ofB.get('x')).body).toMatchObject({ title: 'x', version: 1, parent_scope_id: null });
    expect((await ofB.update('y', 1, { parent_scope_id: 'x' })).status).toBe(200);
    expect(await ofA.below('y')).toEqual(['y', 'x']);
    expect(await ofB.below('y')).toEqual(['y']);
  });

  test('a key of one tenant is unused for the other', async () => {
    const a = await ofA.create({ title: 'Of A' }, 'shared-key');
    const b = await ofB.create({ title: 'Of B' }, 'shared-key');
    expect([b.status, b.body.title]).toEqual([201, 'Of B']);
    expect(b.body.scope_id).not.toBe(a.body.scope_id);
    expect((await ofA.create({ title: 'Of A' }, 'shared-key')).body).toEqual(a.body);
  });

  test('a cursor of one tenant is invalid to the other', async () => {
    const cursor = (await ofA.list({ limit: '1' })).body.next_cursor ?? '';
    const [strange, garbled] = [await ofB.list({ cursor }), await ofB.list({ cursor: 'garbled' })];
    expect(outcome(strange)).toEqual(outcome(garbled));
    expect(strange.error?.code).toBe('invalid_cursor');
  });

  test('a binding of one tenant neither shows, nor moves, nor goes with that of the other', async () => {
    const [a, b] = [await ofA.made(), await ofB.made()];
    const fallback = (await tenants.b.call('get_default_scope')).body;
    await tenants.a.call('set_scope_binding', { body: { key, scope_id: a } });
    const resolve = async (client: typeof tenants.a) =>
      (await client.call('resolve_scope_binding', { body: { binding_keys: [key] } })).body.scope_id;
    expect(await resolve(tenants.b)).toBe(fallback.scope_id);
    expect((await tenants.b.call('clear_scope_binding', { body: { key } })).body).toEqual({ cleared: false });
    await tenants.b.call('set_scope_binding', { body: { key, scope_id: b } });
    expect([await resolve(tenants.a), await resolve(tenants.b)]).toEqual([a, b]);
    await tenants.b.call('clear_scope_binding', { body: { key } });
    expect(await resolve(tenants.a)).toBe(a);
  });
});

test('spec 10 scenario 3: every Scope operation is 401 without a token', async () => {
  const { send } = service;
  const calls = [
    ['GET', '/v1/scopes'],
    ['POST', '/v1/scopes'],
    ['GET', '/v1/scopes/x'],
    ['PUT', '/v1/scopes/x'],
    ['GET', '/v1/scopes/default'],
    ['PUT', '/v1/scopes/default'],
    ['POST', '/v1/scopes/selection/resolve'],
    ['POST', '/v1/scope-bindings/resolve'],
    ['PUT', '/v1/scope-bindings'],
    ['POST', '/v1/scope-bindings/clear'],
  ] as const;
  for (const [method, path] of calls) {
    for (const target of [path, `${path}?token=${tokenOf('a')}`]) {
      expect([target, (await send(method, target, method === 'GET' ? undefined : {})).status]).toEqual([
        target,
        401,
      ]);
    }
  }
});
