import { randomUUID } from 'node:crypto';
import { isServerId } from '@continuity/kernel/text';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdLock, outcome, scopeCalls, whenWaiting } from '../support/scopes.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';

let service: TestService;
let scope: ReturnType<typeof scopeCalls>;

beforeAll(async () => {
  service = await startService();
  scope = scopeCalls(service);
});

afterAll(() => service.stop());

const countScopes = async () =>
  (await query<{ count: number }>(service.databaseUrl, 'SELECT count(*)::int FROM scopes'))[0]?.count;

test('a new Scope has an id of the service, version 1, and is found at its Location', async () => {
  const created = await scope.create({ title: ' Atlas ', summary: '\u{1F9E0}' });
  expect(created.status).toBe(201);
  expect(isServerId(created.body.scope_id)).toBe(true);
  expect(created.body).toEqual({
    scope_id: created.body.scope_id,
    title: ' Atlas ',
    summary: '\u{1F9E0}',
    parent_scope_id: null,
    context_references: [],
    external_references: [],
    version: 1,
  });
  const location = created.headers.get('location') ?? '';
  expect(location).toBe(`/v1/scopes/${created.body.scope_id}`);
  expect((await service.send('GET', location)).json).toEqual(created.body);
});

test('references come back ascending by code point, external ones in the order given', async () => {
  // U+FB03 is before U+1F9E0, but after its first UTF-16 unit.
  const ids = ['ﬃ', '\u{1F9E0}', 'a', 'B', 'é', 'NULL', '{a,"b"}', '\\', "'; --", ' a', '%'];
  for (const id of ids) await scope.captured(id);
  const references = [
    { kind: 'issue', value: 'z' },
    { kind: 'issue', value: 'a' },
    { kind: 'task', value: 'z' },
    { kind: '{"x":1}', value: '\u0001\\u0000 <&"' },
  ];
  const created = await scope.create({ context_references: ids, external_references: references });
  const ascending = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(ascending).not.toEqual(ids.toSorted());
  expect(created.body.context_references).toEqual(ascending);
  expect(created.body.external_references).toEqual(references);
  expect((await scope.get(created.body.scope_id)).body).toEqual(created.body);
});

describe('spec 10 scenario 5: a key creates one Scope', () => {
  test('50 concurrent calls create one Scope and get equal answers; another title is 409', async () => {
    const before = (await countScopes()) ?? 0;
    const replies = await Promise.all(Array.from({ length: 50 }, () => scope.create({}, 'fifty')));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(replies.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect(await countScopes()).toBe(before + 1);
    const other = await scope.create({ title: 'Another title' }, 'fifty');
    expect([other.status, other.error?.code]).toEqual([409, 'scope_conflict']);
    const scope_id = replies[0]?.body.scope_id;
    expect(other.error?.details).toEqual({ reason: 'idempotency_key', scope_id });
    expect(await countScopes()).toBe(before + 1);
  });

  test('two calls that both found the key unused create one Scope', async () => {
    const parent_scope_id = await scope.made();
    const before = (await countScopes()) ?? 0;
    const release = await holdLock(
      service.databaseUrl,
      `SELECT FROM scopes WHERE scope_id = '${parent_scope_id}' FOR UPDATE`,
    );
    const replies = [scope.create({ parent_scope_id }, 'raced'), scope.create({ parent_scope_id }, 'raced')];
    await whenWaiting(service.databaseUrl, 2);
    await release();
    const [first, second] = await Promise.all(replies);
    expect([first?.status, second?.status]).toEqual([201, 201]);
    expect(first?.body).toEqual(second?.body);
    expect(await countScopes()).toBe(before + 1);
  });

  test('two calls with different bodies that both found the key unused create one Scope; the other is 409', async () => {
    const parent_scope_id = await scope.made();
    const release = await holdLock(
      service.databaseUrl,
      `SELECT FROM scopes WHERE scope_id = '${parent_scope_id}' FOR UPDATE`,
    );
    const titles = ['one', 'two'];
    const replies = titles.map((title) => scope.create({ title, parent_scope_id }, 'torn'));
    await whenWaiting(service.databaseUrl, 2);
    await release();
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409]);
  });
});

describe('the key belongs to one body', () => {
  test('defaults and the order of references are equal bodies; any other difference is not', async () => {
    const [x, y] = [await scope.made(), await scope.made()];
    const key = randomUUID();
    const first = await scope.create({ context_references: [x, y] }, key);
    const equal = [
      { context_references: [y, x] },
      { context_references: [x, y], parent_scope_id: null, external_references: [] },
    ];
    for (const fields of equal) expect((await scope.create(fields, key)).body).toEqual(first.body);
    const other = [
      {},
      { context_references: [x] },
      { context_references: [x, y], parent_scope_id: x },
      { context_references: [x, y], summary: 'A summary. ' },
      { context_references: [x, y], external_references: [{ kind: 'k', value: 'v' }] },
    ];
    for (const fields of other) expect((await scope.create(fields, key)).status).toBe(409);
    expect((await scope.create({ context_references: [x, y] }, `${key} `)).body).not.toEqual(first.body);
  });

  test('a replay returns the current Scope without checking its references again', async () => {
    const key = randomUUID();
    const parent = await scope.made();
    const first = await scope.create({ parent_scope_id: parent }, key);
    const { scope_id } = first.body;
    const changed = await scope.update(scope_id, 1, { title: 'Changed' });
    // The old parent may be below the Scope by now.
    await scope.update(parent, 1, { parent_scope_id: scope_id });
    const replay = await scope.create({ parent_scope_id: parent }, key);
    expect(replay.status).toBe(201);
    expect(replay.body).toEqual(changed.body);
    expect(replay.headers.get('location')).toBe(first.headers.get('location'));
  });

  test('spec 10 §11.2: a used key is judged before the parent and the references', async () => {
    const key = randomUUID();
    await scope.create({}, key);
    const unknown = { parent_scope_id: 'nowhere', context_references: ['nor here'] };
    expect((await scope.create(unknown, key)).status).toBe(409);
    expect((await scope.create(unknown)).status).toBe(404);
  });
});

test('an unknown parent or reference is 404 with its id, and no Scope is created', async () => {
  const before = await countScopes();
  const known = await scope.made();
  const parent = await scope.create({ parent_scope_id: 'nowhere' }, 'unused');
  expect(outcome(parent)).toEqual([
    404,
    { code: 'scope_not_found', message: 'There is no such Scope.', details: { scope_id: 'nowhere' } },
  ]);
  const reference = await scope.create({ context_references: ['z', known, 'b'] }, 'unused');
  expect(reference.error?.details).toEqual({ scope_id: 'b' });
  expect(await countScopes()).toBe((before ?? 0) + 1);
  expect((await scope.create({}, 'unused')).status).toBe(201);
  expect((await scope.get('nowhere')).status).toBe(404);
});

test('every bound is met exactly', async () => {
  const brain = '\u{1F9E0}';
  const references = await Promise.all(Array.from({ length: 256 }, () => scope.made()));
  const largest = {
    title: brain.repeat(256),
    summary: brain.repeat(2000),
    context_references: references,
    external_references: Array.from({ length: 256 }, (_, index) => ({
      kind: brain.repeat(128),
      value: String.fromCodePoint(0x1f300 + index) + brain.repeat(1999),
    })),
  };
  const created = await scope.create(largest, brain.repeat(256));
  expect(created.status).toBe(201);
  expect((await scope.get(created.body.scope_id)).body).toEqual(created.body);

  const body = { title: 'T', summary: 'S', idempotency_key: 'bounds' };
  const reference = { kind: 'k', value: 'v' };
  const refused: [string, Record<string, unknown>][] = [
    ['title', { title: brain.repeat(257) }],
    ['title', { title: '' }],
    ['title', { title: ' \u0085\ufeff\u3000' }],
    ['title', { title: undefined }],
    ['title', { title: 1 }],
    ['summary', { summary: 'x'.repeat(2001) }],
    ['summary', { summary: null }],
    ['idempotency_key', { idempotency_key: 'x'.repeat(257) }],
    ['idempotency_key', { idempotency_key: undefined }],
    ['parent_scope_id', { parent_scope_id: '' }],
    ['parent_scope_id', { parent_scope_id: 'x'.repeat(257) }],
    ['context_references', { context_references: Array.from({ length: 257 }, (_, i) => `s${i}`) }],
    ['context_references', { context_references: ['twice', 'twice'] }],
    ['context_references', { context_references: null }],
    ['context_references[1]', { context_references: ['x', ' '] }],
    ['external_references', { external_references: Array.from({ length: 257 }, () => reference) }],
    ['external_references', { external_references: [reference, { kind: 'k', value: 'w' }, reference] }],
    ['external_references[0].kind', { external_references: [{ ...reference, kind: 'x'.repeat(129) }] }],
    ['external_references[0].value', { external_references: [{ ...reference, value: 'x'.repeat(2001) }] }],
    ['external_references[0].url', { external_references: [{ ...reference, url: 'x' }] }],
    ['scope_id', { scope_id: 'my-own' }],
    ['version', { version: 1 }],
  ];
  for (const [path, change] of refused) {
    const reply = await service.send('POST', '/v1/scopes', { ...body, ...change });
    expect([path, reply.status]).toEqual([path, 422]);
    expect(reply.json).toMatchObject({ error: { details: { issues: [{ path }] } } });
  }
  for (const text of ['"\\u0000"', '"\\ud800"']) {
    const hostile = `{"title":${text},"summary":"S","idempotency_key":"bounds"}`;
    expect((await service.send('POST', '/v1/scopes', hostile)).status).toBe(422);
  }
});
