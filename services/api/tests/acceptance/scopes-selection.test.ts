import type { ScopeSelection } from '@continuity/contract';
import { underLoad } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopeCalls } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let service: TestService;
let scope: ReturnType<typeof scopeCalls>;

beforeAll(async () => {
  service = await startService();
  scope = scopeCalls(service);
});

afterAll(() => service.stop());

const resolve = (selection: ScopeSelection) =>
  service.call('resolve_scope_selection', { body: { selection } });

/** Scopes of the given ids, each but the first under the one named beside it. */
async function plant(tree: Record<string, string | null>): Promise<void> {
  for (const id of Object.keys(tree)) await scope.captured(id);
  for (const [id, parent_scope_id] of Object.entries(tree)) await scope.update(id, 1, { parent_scope_id });
}

describe('spec 10 scenario 7', () => {
  test('a subtree is its root, then whole levels, each ascending', async () => {
    await plant({ root: null, b: 'root', a: 'root', 'a-z': 'a', 'b-c': 'b', 'a-a': 'a', apart: null });
    expect(await scope.below('root')).toEqual(['root', 'a', 'b', 'a-a', 'a-z', 'b-c']);
    expect(await scope.below('b')).toEqual(['b', 'b-c']);
    expect(await scope.below('apart')).toEqual(['apart']);
    await plant({ top: null, 'top-b': 'top', 'top-a': 'top', 'below-b': 'top-b', 'x-below-a': 'top-a' });
    expect(await scope.below('top')).toEqual(['top', 'top-a', 'top-b', 'below-b', 'x-below-a']);
  });

  test('exact with unknown ids is 404 with the first of them in ascending order', async () => {
    await scope.captured('known');
    const reply = await scope.exact('ﬃ', 'known', '\u{1F9E0}');
    expect([reply.status, reply.error?.code]).toEqual([404, 'scope_not_found']);
    expect(reply.error?.details).toEqual({ scope_id: 'ﬃ' });
    expect((await scope.exact('known', 'z', 'p', 'q')).error?.details).toEqual({ scope_id: 'p' });
  });
});

test('exact is ascending by code point, with whole descriptors and no second page', async () => {
  const ids = ['\u{1F9E0}', 'ﬃ', 'x/y', 'default', 'NULL', '{', ' a', 'A', 'a'];
  for (const id of ids) await scope.captured(id);
  const { body } = await scope.exact(...ids);
  const ascending = ids.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
  expect(body.items.map(({ scope_id }) => scope_id)).toEqual(ascending);
  expect(body.next_cursor).toBeNull();
  const [child] = [await scope.made({ parent_scope_id: 'a', context_references: ['A'] })];
  expect((await scope.exact(child)).body.items).toEqual([(await scope.get(child)).body]);
});

test('all is every Scope of the tenant', async () => {
  const { body } = await resolve({ mode: 'all' });
  expect(body.items).toEqual((await scope.list()).body.items);
  expect(body.next_cursor).toBeNull();
});

test('an unknown root is 404', async () => {
  const reply = await resolve({ mode: 'subtree', root_scope_id: 'no such root' });
  expect([reply.status, reply.error?.details]).toEqual([404, { scope_id: 'no such root' }]);
});

test('an invalid selection is 422', async () => {
  const selections = [
    undefined,
    null,
    {},
    { mode: 'none' },
    { mode: 'all', scope_ids: ['a'] },
    { mode: 'exact' },
    { mode: 'exact', scope_ids: [] },
    { mode: 'exact', scope_ids: ['a', 'a'] },
    { mode: 'exact', scope_ids: ['a', ''] },
    { mode: 'exact', scope_ids: ['x'.repeat(257)] },
    { mode: 'exact', scope_ids: 'a' },
    { mode: 'exact', scope_ids: Array.from({ length: 1001 }, (_, index) => `s${index}`) },
    { mode: 'subtree' },
    { mode: 'subtree', root_scope_id: null },
    { mode: 'subtree', root_scope_id: 'a', scope_ids: ['a'] },
  ];
  for (const selection of selections) {
    const reply = await service.send('POST', '/v1/scopes/selection/resolve', { selection });
    expect([selection, reply.status]).toEqual([selection, 422]);
  }
  const thousand = Array.from({ length: 1000 }, (_, index) => `s${index}`);
  expect((await scope.exact(...thousand)).status).toBe(404);
});

test('descriptors of more bytes than an answer may have are 422', async () => {
  const ids = [await scope.made(), await scope.made(), await scope.made()];
  const sized = 'UPDATE scopes SET descriptor_bytes = $2 WHERE scope_id = ANY ($1)';
  await query(service.databaseUrl, sized, [ids, 12 * 1024 * 1024]);
  expect((await scope.exact(...ids.slice(1))).body.items).toHaveLength(2);
  const reply = await scope.exact(...ids);
  expect([reply.status, reply.error?.code]).toEqual([422, 'invalid_request']);
  await query(service.databaseUrl, sized, [ids, 100]);
  expect((await scope.exact(...ids)).status).toBe(200);
});

test('10,000 Scopes are resolved, 10,001 are 422, and neither a wide nor a deep tree is slow', async () => {
  const name = (n: string) => `'many-' || lpad((${n})::text, 6, '0')`;
  const add = (from: number, to: number, parent: string) =>
    query(
      service.databaseUrl,
      `INSERT INTO scopes (tenant_id, scope_id, title, summary, parent_scope_id)
       SELECT tenant_id, ${name('n')}, 'T', 'S', ${parent}
       FROM tenants, generate_series(${from}::int, ${to}::int) AS n WHERE name = 'default'`,
    );
  await add(0, 0, 'NULL');
  await add(1, 6_000, name('0'));
  await add(6_001, 9_999, name('n - 1'));
  const started = performance.now();
  const ids = await scope.below('many-000000');
  expect(ids).toHaveLength(10_000);
  expect(ids.slice(0, 3)).toEqual(['many-000000', 'many-000001', 'many-000002']);
  expect(ids.slice(6_000)).toEqual(
    Array.from({ length: 4_000 }, (_, n) => `many-${String(6_000 + n).padStart(6, '0')}`),
  );
  const all = await resolve({ mode: 'all' });
  expect(all.error?.details).toEqual({
    issues: [{ path: 'selection', message: 'selects more than 10000 Scopes' }],
  });
  await add(10_000, 10_000, name('0'));
  expect((await resolve({ mode: 'subtree', root_scope_id: 'many-000000' })).status).toBe(422);
  expect(await scope.below('many-006000')).toHaveLength(4_000);
  expect(performance.now() - started).toBeLessThan(underLoad(15_000));
});
