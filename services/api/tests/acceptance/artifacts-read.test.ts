import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { asDigest, digestHex, type JsonValue } from '@continuity/kernel/json';
import { scopePath } from '@continuity/shared/handlers';
import { clientFor } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { artifactCalls, etagOf, memoryContentOf } from '../support/artifacts.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';

const tokens = { a: 'token-of-tenant-a', b: 'token-of-tenant-b' };
let folder: string;
let service: TestService;
let a: ReturnType<typeof clientFor>;
let artifact: ReturnType<typeof artifactCalls>;
let now = Date.now();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artifacts-'));
  const file = join(folder, 'tokens.json');
  const known = Object.entries(tokens).map(([tenant, token]) => ({
    tenant,
    token_sha256: createHash('sha256').update(token).digest('hex'),
  }));
  await writeFile(file, JSON.stringify({ tokens: known }));
  service = await startService({
    environment: { AUTH_TOKENS_FILE: file },
    clock: { now: () => new Date(now) },
  });
  a = clientFor(service.url, { authorization: `Bearer ${tokens.a}` });
  artifact = artifactCalls(a);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const list = (scope_id: string, query: Record<string, string> = {}, from = a) =>
  from.call('list_artifacts', { params: { scope_id, family: 'memory' }, query });

const createMany = (scope: string, from: number, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      artifact.create(scope, artifact.facts(`memory ${from + index}`)),
    ),
  );

/** The cursor with each of some characters flipped in turn. */
function flipped(cursor: string): string[] {
  return [0, 10, cursor.length - 1].map((at) => {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    return cursor.slice(0, at) + other + cursor.slice(at + 1);
  });
}

describe('spec 10 scenario 20: lists', () => {
  test('pages of 50 show 120 heads once each while 30 more are created', async () => {
    const made = (await createMany('list', 0, 120)).map(({ body }) => body.artifact_id);
    const shown: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list('list', {
        limit: '50',
        ...(cursor && { cursor }),
      });
      shown.push(...page.body.items.map(({ artifact_id }) => artifact_id));
      cursor = page.body.next_cursor;
      await createMany('list', shown.length, 10);
    } while (cursor !== null);
    expect(shown).toEqual([...new Set(shown)].sort());
    expect(shown).toEqual(expect.arrayContaining(made));
  });

  test('a cursor is valid for its own list only, on every gateway, for 3600 s', async () => {
    await createMany('cursor', 0, 3);
    const first = await list('cursor', { limit: '1' });
    const cursor = first.body.next_cursor ?? '';
    const second = await list('cursor', { limit: '2', cursor });
    expect(second.body.items).toHaveLength(2);
    for (const altered of [...flipped(cursor), 'x', `${cursor}=`]) {
      expect((await list('cursor', { cursor: altered })).error?.code).toBe('invalid_cursor');
    }
    expect((await list('list', { cursor })).error?.code).toBe('invalid_cursor');
    const skills = scopePath('cursor', 'artifacts', 'skill');
    expect((await a.send('GET', `${skills}?cursor=${cursor}`)).status).toBe(400);
    const gateway = await startSecondGateway(service);
    try {
      const { url } = gateway;
      const elsewhere = clientFor(url, { authorization: `Bearer ${tokens.a}` });
      expect((await list('cursor', { limit: '2', cursor }, elsewhere)).body).toEqual(second.body);
    } finally {
      await gateway.stop();
    }
    now += 3_599_999;
    expect((await list('cursor', { cursor })).status).toBe(200);
    now += 1;
    const expired = await list('cursor', { cursor });
    expect([expired.status, expired.error?.code]).toEqual([410, 'cursor_expired']);
    expect((await list('list', { cursor })).error?.code).toBe('invalid_cursor');
  });

  test('an item shows the current head with its digest', async () => {
    await createMany('items', 0, 2);
    await artifact.remember('items', 'a newer fact');
    const { body } = await list('items');
    expect(body.next_cursor).toBeNull();
    expect(body.items.map(({ revision }) => revision)).toEqual([1, 2]);
    for (const item of body.items) {
      const { content, ...head } = (await artifact.head('items', item.artifact_id)).body;
      expect(item).toEqual(head);
      expect(item.content_digest).toBe(asDigest(digestHex(content as JsonValue)));
    }
  });

  test('limit is 1 to 100, a repeated parameter is 422, and another Family is empty', async () => {
    const path = scopePath('items', 'artifacts', 'memory');
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=01',
      'limit=1.0',
      'limit=',
      'limit=1&limit=2',
      'cursor=',
    ]) {
      expect([query, (await a.send('GET', `${path}?${query}`)).status]).toEqual([query, 422]);
    }
    expect((await a.send('GET', `${path}?limit=100&unknown=1&unknown=2`)).status).toBe(200);
    const empty = { items: [], next_cursor: null };
    for (const family of ['experience', 'skill', 'handoff']) {
      expect((await a.send('GET', scopePath('items', 'artifacts', family))).json).toEqual(empty);
    }
    expect((await list('no such Scope')).body).toEqual(empty);
    for (const family of ['notes', 'Memory', 'memory%20']) {
      expect((await a.send('GET', `/v1/scopes/items/artifacts/${family}`)).status).toBe(422);
    }
  });
});

test('spec 10 §6.1.9: the tag follows the formula, and a stored digest does not change', async () => {
  await artifact.remember('tag', 'one');
  const read = await artifact.revision('tag', 1);
  const digest = asDigest(digestHex(read.body.content as JsonValue));
  expect(read.body.content_digest).toBe(digest);
  expect(etagOf(read)).toBe(`"1-${digestHex(['tag', 'memory', 'memory', 1, digest]).slice(0, 32)}"`);
  const entry = (await a.call('list_memory_entries', { body: { scope_id: 'tag' } })).body.entries[0];
  expect(memoryContentOf(read).manifest.entries).toEqual([
    {
      entry_id: entry?.citation.entry_id,
      entry_version_id: entry?.citation.entry_version_id,
      entry_content_hash: digestHex({ kind: 'fact', text: 'one', source_refs: [], artifact_refs: [] }),
      state: 'active',
    },
  ]);
  const path = scopePath('tag', 'artifacts', 'memory', 'memory', 'revisions', '1');
  const before = (await a.send('GET', path)).text;
  for (const text of ['two', 'three']) await artifact.remember('tag', text);
  expect((await a.send('GET', path)).text).toBe(before);
  expect(read.body.sources).toEqual([]);
});

test('spec 10 scenario 30: revision and artifact_id in the path', async () => {
  await artifact.create('path', artifact.facts('one'));
  expect((await artifact.revision('path', 1)).status).toBe(200);
  for (const missing of ['2', '2147483648', '9007199254740991']) {
    expect([missing, (await artifact.revision('path', missing)).status]).toEqual([missing, 404]);
  }
  for (const wrong of ['9007199254740992', '01', '0', '-1', '1.0', '1e3', '+1', 'x', ' 1', '１']) {
    expect([wrong, (await artifact.revision('path', wrong)).status]).toEqual([wrong, 422]);
  }
  expect((await artifact.head('path', 'x'.repeat(128))).status).toBe(404);
  expect((await artifact.head('path', 'x'.repeat(129))).status).toBe(422);
  expect((await artifact.head('path', 'with space')).status).toBe(422);
  for (const family of ['experience', 'skill', 'handoff']) {
    const head = await a.send('GET', scopePath('path', 'artifacts', family, 'memory'));
    expect(head.json).toMatchObject({ error: { code: 'artifact_not_found' } });
    const first = await a.send('GET', scopePath('path', 'artifacts', family, 'memory', 'revisions', '1'));
    expect(first.status).toBe(404);
  }
  for (const path of ['/v1/scopes/path/artifacts//memory', '/v1/scopes//artifacts/memory/memory']) {
    expect((await a.send('GET', path)).json).toMatchObject({ error: { code: 'not_found' } });
  }
  expect((await a.send('GET', '/v1/scopes/%ff/artifacts/memory/memory')).status).toBe(422);
  expect((await a.send('DELETE', scopePath('path', 'artifacts', 'memory', 'memory'))).status).toBe(405);
  expect((await a.send('GET', '/v1/scopes/path/artifacts/%6demory/memory')).status).toBe(200);
});

test('spec 10 scenario 29: ids, tags, cursors and keys of one tenant are unknown to another', async () => {
  const b = clientFor(service.url, { authorization: `Bearer ${tokens.b}` });
  const ofB = artifactCalls(b);
  const key = { 'Idempotency-Key': 'shared' };
  const created = await artifact.create('shared', artifact.facts('of a', 'otters'), key);
  await createMany('shared', 0, 2);
  const cursor = (await list('shared', { limit: '1' })).body.next_cursor ?? '';
  const strange = [
    await ofB.head('shared'),
    await ofB.revision('shared', 1),
    await ofB.replace('shared', etagOf(created), ofB.facts('of b')),
  ];
  const unknown = [
    await ofB.head('unknown'),
    await ofB.revision('unknown', 1),
    await ofB.replace('unknown', etagOf(created), ofB.facts('of b')),
  ];
  expect(strange.map(({ status, error }) => [status, error])).toEqual(
    unknown.map(({ status, error }) => [status, error]),
  );
  expect((await list('shared', {}, b)).body).toEqual({ items: [], next_cursor: null });
  expect((await list('shared', { cursor }, b)).error?.code).toBe('invalid_cursor');
  const own = await ofB.create('shared', ofB.facts('of b, otters'), key);
  expect([own.status, own.body.artifact_id, own.body.revision]).toEqual([201, 'memory', 1]);
  expect(await ofB.found('shared', 'otters')).toEqual(['of b, otters']);
  expect(await artifact.found('shared', 'otters')).toEqual(['otters']);
  expect(await ofB.nextPosition('shared')).toBe(2);
  expect(
    (await clientFor(service.url).call('get_artifact', { params: artifact.params('shared') })).status,
  ).toBe(401);
});

/** A request whose path goes out as it is: `fetch` takes even escaped dots for folders. */
async function sendRaw(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${tokens.a}`, 'content-type': 'application/json' };
  const sent = request(service.url, { method, path, headers });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const location = response.headers.location ?? '';
  return { status: response.statusCode, location, body: (await json(response)) as { scope_id: string } };
}

test('Scopes with hostile ids are distinct, and each Location leads to its Scope', async () => {
  const scopes = ['a/b', 'a%2Fb', '..', '.', ' a', 'a', 'A', '\u{1F9E0}', "x'y\\z?#"];
  for (const scope of scopes) {
    const path = scopePath(scope, 'artifacts');
    const content = { entries: artifact.facts(`of ${scope}`) };
    const created = await sendRaw('POST', path, { family: 'memory', content });
    expect([created.status, created.body]).toMatchObject([201, { scope_id: scope, artifact_id: 'memory' }]);
    expect(created.location).toBe(`${path}/memory/memory`);
    expect(created.location).not.toMatch(/\/\.{1,2}\//);
    expect(await sendRaw('GET', created.location)).toMatchObject({ status: 200, body: { scope_id: scope } });
  }
});

test('spec 60 §3.7: the revisions of every Family, newest first, while more are written', async () => {
  const scope = 'revisions';
  const write = (text: string) =>
    a.call('remember_memory', { body: { scope_id: scope, kind: 'fact', text } });
  for (let count = 1; count <= 5; count += 1) await write(`entry ${count}`);
  const address = { scope_id: scope, family: 'memory' as const, artifact_id: 'memory' };
  const revisions = (params: Record<string, string> = {}, query: Record<string, string> = {}) =>
    a.call('list_artifact_revisions', { params: { ...address, ...params } as typeof address, query });
  const first = await revisions({}, { limit: '2' });
  await write('entry 6');
  const second = await revisions({}, { limit: '100', cursor: first.body.next_cursor ?? '' });
  const items = [...first.body.items, ...second.body.items];
  expect(items.map(({ revision }) => revision)).toEqual([5, 4, 3, 2, 1]);
  expect(second.body.next_cursor).toBeNull();
  const times = items.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().toReversed());
  for (const { revision } of items) {
    const params = { ...address, revision: String(revision) };
    expect((await a.call('get_artifact_revision', { params })).status).toBe(200);
  }
  const cursor = first.body.next_cursor ?? '';
  for (const altered of flipped(cursor)) {
    expect((await revisions({}, { cursor: altered })).error?.code).toBe('invalid_cursor');
  }
  expect((await revisions({ artifact_id: 'unknown' }, { cursor })).error?.code).toBe('invalid_cursor');
  expect((await revisions({ scope_id: 'other' }, { cursor })).error?.code).toBe('invalid_cursor');
  for (const unknown of [{ artifact_id: 'unknown' }, { scope_id: 'other' }, { family: 'skill' }]) {
    expect((await revisions(unknown)).error?.code).toBe('artifact_not_found');
  }
  for (const wrong of [{ limit: '0' }, { limit: '101' }, { cursor: 'x'.repeat(4097) }]) {
    expect((await revisions({}, wrong)).status).toBe(422);
  }
  const b = clientFor(service.url, { authorization: `Bearer ${tokens.b}` });
  const foreign = await b.call('list_artifact_revisions', {
    params: address,
    query: { cursor },
  });
  expect(foreign.error?.code).toBe('invalid_cursor');
});
