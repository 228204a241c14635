import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopeCalls } from '../support/scopes.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';

let service: TestService;
let scope: ReturnType<typeof scopeCalls>;
let now = Date.now();

beforeAll(async () => {
  service = await startService({ clock: { now: () => new Date(now) } });
  scope = scopeCalls(service);
});

afterAll(() => service.stop());

/** Ids of all pages, with something done between them. */
async function listAll(limits: string[], between: () => Promise<unknown> = async () => undefined) {
  const shown: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor !== null; page += 1) {
    const limit = limits[page % limits.length] ?? '1';
    const reply: Awaited<ReturnType<typeof scope.list>> = await scope.list({
      limit,
      ...(cursor !== null && { cursor }),
    });
    expect(reply.body.items.length).toBeLessThanOrEqual(Number(limit));
    shown.push(...reply.body.items.map(({ scope_id }) => scope_id));
    cursor = reply.body.next_cursor;
    await between();
  }
  return shown;
}

test('a new tenant has its default Scope and no other', async () => {
  const { body } = await scope.list();
  expect(body.next_cursor).toBeNull();
  expect(body.items).toEqual([(await service.call('get_default_scope')).body]);
});

test('every Scope shows once, ascending by code point, while others are made; limits may change', async () => {
  const ids = ['b', 'a', 'A', ' a', 'ﬃ', '\u{1F9E0}', 'é', 'e\u0301', '~', '%', '\u{10FFFF}'.repeat(256)];
  for (const id of ids) await scope.captured(id);
  for (let count = 0; count < 20; count += 1) await scope.made();
  const before = (await scope.list()).body.items.map(({ scope_id }) => scope_id);
  expect(before).toHaveLength(32);
  expect(before).toEqual(before.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y))));
  expect(before).toEqual(expect.arrayContaining(ids));
  const shown = await listAll(['1', '3', '7'], () => scope.made());
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown).toEqual(expect.arrayContaining(before));
});

test('a list that ends with a full page has no next cursor', async () => {
  const all = (await scope.list()).body.items;
  const exactly = await scope.list({ limit: String(all.length) });
  expect([exactly.body.items.length, exactly.body.next_cursor]).toEqual([all.length, null]);
  expect((await scope.list({ limit: String(all.length - 1) })).body.next_cursor).not.toBeNull();
});

test('limit is 1 to 1000, cursor 1 to 4096 characters, each once; unknown parameters are ignored', async () => {
  const cases = ['limit=0', 'limit=1001', 'limit=01', 'limit=', 'limit=1e2', 'limit=+1', 'limit=%EF%BC%91'];
  for (const query of [...cases, 'limit=1&limit=1', 'cursor=', `cursor=${'x'.repeat(4097)}`]) {
    expect([query, (await service.send('GET', `/v1/scopes?${query}`)).status]).toEqual([query, 422]);
  }
  for (const query of ['limit=1000', 'unknown=1&unknown=2']) {
    expect((await service.send('GET', `/v1/scopes?${query}`)).status).toBe(200);
  }
});

test('spec 60 §3.4.2: a search finds parts of ids and titles in any case, as text', async () => {
  const mark = `m${randomUUID()}`;
  const german = await scope.made({ title: `${mark} ÄRGER_100% (Straße)` });
  const plain = await scope.made({ title: `Plan ${mark.toUpperCase()}` });
  const captured = await scope.captured(`project/${mark}`);
  const found = async (search: string) =>
    (await scope.list({ search })).body.items.map(({ scope_id }) => scope_id);
  expect(await found(mark.slice(3))).toEqual([german, plain, captured].toSorted());
  expect(await found(`${mark} ärger`)).toEqual([german]);
  expect(await found(`PROJECT/${mark}`)).toEqual([captured]);
  for (const [search, ids] of [
    [`${mark} ärger_100% (`, [german]],
    [`${mark} %`, []],
    [`${mark}_`, []],
    [`${mark}\\`, []],
    [`${mark}' OR 'a'='a`, []],
  ] as const) {
    expect([search, await found(search)]).toEqual([search, ids]);
  }
  for (const query of ['search=', 'search=%20', `search=${'x'.repeat(257)}`, 'search=%00', 'parent=']) {
    expect([query, (await service.send('GET', `/v1/scopes?${query}`)).status]).toEqual([query, 422]);
  }
});

test('spec 60 §3.4.2: the direct children of a Scope, on pages of any size; an unknown one has none', async () => {
  const parent_scope_id = await scope.made();
  const children: string[] = [];
  for (let count = 0; count < 5; count += 1) children.push(await scope.made({ parent_scope_id }));
  await scope.made({ parent_scope_id: children[0] ?? '' });
  const shown: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Awaited<ReturnType<typeof scope.list>> = await scope.list({
      parent: parent_scope_id,
      limit: '2',
      ...(cursor !== '' && { cursor }),
    });
    shown.push(...body.items.map(({ scope_id }) => scope_id));
    cursor = body.next_cursor;
  }
  expect(shown).toEqual(children.toSorted());
  const [last = ''] = children.slice(-1);
  const one = await scope.list({ parent: parent_scope_id, search: last.toUpperCase() });
  expect(one.body.items.map(({ scope_id }) => scope_id)).toEqual([last]);
  expect((await scope.list({ parent: randomUUID() })).body).toEqual({ items: [], next_cursor: null });
  const cursor = (await scope.list({ parent: parent_scope_id, limit: '2' })).body.next_cursor ?? '';
  for (const other of [{}, { parent: children[0] ?? '' }, { parent: parent_scope_id, search: 'a' }]) {
    expect((await scope.list({ ...other, cursor })).error?.code).toBe('invalid_cursor');
  }
});

test('an altered cursor, and one of another list, are 400', async () => {
  const cursor = (await scope.list({ limit: '1' })).body.next_cursor ?? '';
  for (const at of [0, 9, cursor.length - 1]) {
    const altered = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    expect((await scope.list({ cursor: altered })).error?.code).toBe('invalid_cursor');
  }
  for (const altered of ['x', `${cursor}=`, 'x'.repeat(4096), '\u{1F9E0}', 'null']) {
    expect((await scope.list({ cursor: altered })).status).toBe(400);
  }
  for (const text of ['one', 'two']) {
    await service.call('remember_memory', { body: { scope_id: 'other-list', kind: 'fact', text } });
  }
  const entries = await service.call('list_memory_entries', { body: { scope_id: 'other-list', limit: 1 } });
  const other = entries.body.next_cursor ?? '';
  expect((await scope.list({ cursor: other })).error?.code).toBe('invalid_cursor');
});

test('a cursor is good on every gateway, for 3600 s', async () => {
  const cursor = (await scope.list({ limit: '1' })).body.next_cursor ?? '';
  const second = await scope.list({ cursor });
  const gateway = await startSecondGateway(service);
  try {
    expect((await scopeCalls(gateway).list({ cursor })).body).toEqual(second.body);
  } finally {
    await gateway.stop();
  }
  now += 3_599_999;
  expect((await scope.list({ cursor })).status).toBe(200);
  now += 1;
  const expired = await scope.list({ cursor });
  expect([expired.status, expired.error?.code]).toEqual([410, 'cursor_expired']);
});

test('a page of the largest descriptors is cut, and no Scope is lost', async () => {
  const external_references = Array.from({ length: 256 }, (_, place) => ({
    kind: `k${place}`,
    value: '\u{1F9E0}'.repeat(2000),
  }));
  for (let count = 0; count < 6; count += 1) await scope.made({ external_references });
  const total = (await listAll(['1'])).length;
  const first = await scope.list();
  expect(first.body.next_cursor).not.toBeNull();
  expect(JSON.stringify(first.body).length).toBeLessThan(11 * 1024 * 1024);
  expect(await listAll(['1000'])).toHaveLength(total);
});
