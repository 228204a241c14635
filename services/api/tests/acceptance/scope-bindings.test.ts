import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopeCalls } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

interface Key {
  integration: string;
  kind: string;
  external_id: string;
}

let service: TestService;
let scope: ReturnType<typeof scopeCalls>;

beforeAll(async () => {
  service = await startService();
  scope = scopeCalls(service);
});

afterAll(() => service.stop());

const keyOf = (external_id: string): Key => ({ integration: 'claude_code', kind: 'workspace', external_id });
const bind = (key: Key, scope_id: string) => service.call('set_scope_binding', { body: { key, scope_id } });
const clear = (key: Key) => service.call('clear_scope_binding', { body: { key } });
const resolve = (binding_keys?: Key[], explicit_scope_id?: string | null) =>
  service.call('resolve_scope_binding', {
    body: {
      ...(binding_keys && { binding_keys }),
      ...(explicit_scope_id !== undefined && { explicit_scope_id }),
    },
  });
const resolved = async (...call: Parameters<typeof resolve>) => (await resolve(...call)).body.scope_id;
const countBindings = async () =>
  (await query<{ count: number }>(service.databaseUrl, 'SELECT count(*)::int FROM scope_bindings'))[0]?.count;

describe('the first match wins', () => {
  test('the explicit Scope, then the keys in the order given, then the default', async () => {
    const [one, two, explicit] = [await scope.made(), await scope.made(), await scope.made()];
    await bind(keyOf('one'), one);
    await bind(keyOf('two'), two);
    const unbound = keyOf('unbound');
    expect(await resolved([keyOf('one'), keyOf('two')], explicit)).toBe(explicit);
    expect(await resolved([unbound, keyOf('two'), keyOf('one')])).toBe(two);
    expect(await resolved([unbound, keyOf('one'), keyOf('two')], null)).toBe(one);
    expect(await resolved([keyOf('one'), keyOf('one')])).toBe(one);
    const fallback = (await service.call('get_default_scope')).body;
    expect((await resolve([unbound])).body).toEqual(fallback);
    expect((await resolve([])).body).toEqual(fallback);
    expect((await resolve()).body).toEqual(fallback);
  });

  test('an unknown explicit Scope is 404, and does not fall through', async () => {
    await bind(keyOf('there'), await scope.made());
    const reply = await resolve([keyOf('there')], 'nowhere');
    expect([reply.status, reply.error?.details]).toEqual([404, { scope_id: 'nowhere' }]);
  });

  test('a binding holds when the default moves', async () => {
    const bound = await scope.made();
    await bind(keyOf('held'), bound);
    const moved = await scope.made();
    await service.call('set_default_scope', { body: { scope_id: moved } });
    expect(await resolved([keyOf('held')])).toBe(bound);
    expect(await resolved([keyOf('not held')])).toBe(moved);
  });
});

describe('one row for each key', () => {
  test('is made, moved, and set again to the same', async () => {
    const [from, to] = [await scope.made(), await scope.made()];
    const key = keyOf('moving');
    const body = { key, scope_id: from };
    for (let time = 0; time < 2; time += 1) {
      const reply = await bind(key, from);
      expect([reply.status, reply.body]).toEqual([200, body]);
    }
    await bind(key, to);
    expect(await resolved([key])).toBe(to);
    expect((await scope.get(to)).body.version).toBe(1);
    const reply = await bind(key, 'nowhere');
    expect([reply.status, reply.error?.details]).toEqual([404, { scope_id: 'nowhere' }]);
    expect(await resolved([key])).toBe(to);
  });

  test('after 20 concurrent moves', async () => {
    const before = (await countBindings()) ?? 0;
    const ids = await Promise.all(Array.from({ length: 20 }, () => scope.made()));
    const replies = await Promise.all(ids.map((id) => bind(keyOf('crowded'), id)));
    expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(await countBindings()).toBe(before + 1);
    expect(ids).toContain(await resolved([keyOf('crowded')]));
  });

  test('each part of a key counts, code point by code point', async () => {
    const keys: Key[] = [
      { integration: 'i', kind: 'k', external_id: 'e' },
      { integration: 'I', kind: 'k', external_id: 'e' },
      { integration: 'i', kind: 'K', external_id: 'e' },
      { integration: 'i', kind: 'k', external_id: ' e' },
      { integration: 'ik', kind: 'e', external_id: 'i' },
      { integration: 'i', kind: 'k', external_id: 'NULL' },
      { integration: '{"}', kind: ',', external_id: '\\' },
      { integration: 'i', kind: 'k', external_id: 'é' },
      { integration: 'i', kind: 'k', external_id: 'e\u0301' },
      {
        integration: '\u{1F9E0}'.repeat(128),
        kind: '\u{1F9E0}'.repeat(64),
        external_id: '\u{1F9E0}'.repeat(256),
      },
    ];
    const ids = await Promise.all(keys.map(() => scope.made()));
    for (const [index, key] of keys.entries()) await bind(key, ids[index] ?? '');
    const found = await Promise.all(keys.map((key) => resolved([key])));
    expect(found).toEqual(ids);
  });
});

describe('clearing', () => {
  test('is true for exactly one of several concurrent calls, and the Scope stays', async () => {
    const id = await scope.made();
    await bind(keyOf('cleared'), id);
    const replies = await Promise.all(Array.from({ length: 10 }, () => clear(keyOf('cleared'))));
    expect(replies.map(({ body }) => body.cleared).filter(Boolean)).toHaveLength(1);
    expect((await clear(keyOf('cleared'))).body).toEqual({ cleared: false });
    expect((await clear(keyOf('never bound'))).body).toEqual({ cleared: false });
    expect((await scope.get(id)).status).toBe(200);
    expect(await resolved([keyOf('cleared')])).not.toBe(id);
    await bind(keyOf('cleared'), id);
    expect(await resolved([keyOf('cleared')])).toBe(id);
  });
});

test('bounds', async () => {
  const keys = Array.from({ length: 33 }, (_, index) => keyOf(`k${index}`));
  expect((await resolve(keys.slice(0, 32))).status).toBe(200);
  const key = keyOf('e');
  const cases: [string, string, unknown][] = [
    ['POST', '/resolve', { binding_keys: keys }],
    ['POST', '/resolve', { binding_keys: null }],
    ['POST', '/resolve', { binding_keys: [{ ...key, kind: undefined }] }],
    ['POST', '/resolve', { explicit_scope_id: '' }],
    ['POST', '/resolve', { scope_id: 'x' }],
    ['POST', '/resolve', undefined],
    ['PUT', '', { key }],
    ['PUT', '', { scope_id: 'x' }],
    ['PUT', '', { key: { ...key, integration: 'x'.repeat(129) }, scope_id: 'x' }],
    ['PUT', '', { key: { ...key, kind: 'x'.repeat(65) }, scope_id: 'x' }],
    ['PUT', '', { key: { ...key, external_id: 'x'.repeat(257) }, scope_id: 'x' }],
    ['PUT', '', { key: { ...key, external_id: ' ' }, scope_id: 'x' }],
    ['PUT', '', { key: { ...key, more: 1 }, scope_id: 'x' }],
    ['POST', '/clear', {}],
    ['POST', '/clear', { key, scope_id: 'x' }],
  ];
  for (const [method, path, body] of cases) {
    const reply = await service.send(method, `/v1/scope-bindings${path}`, body);
    expect([path, body, reply.status]).toEqual([path, body, 422]);
  }
});
