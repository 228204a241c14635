import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareCompact } from '../support/context.ts';
import { freshScope, remember, retire } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture, readSource } from '../support/sources.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

const captureAt = (scope_id: string, source_id: string, occurred_at: string | null, content = 'said') =>
  service.call('capture_content_source', { body: { scope_id, source_id, content, occurred_at } });

const ref = (source_id: string) => ({ name: 'content', source_id });

test('spec 70 scenario 1: a Source keeps the time at which it was said, with its offset', async () => {
  const scope_id = freshScope();
  const kept = {
    '2026-06-01T19:00:00-05:00': '2026-06-01T19:00:00.000-05:00',
    '2026-06-01T19:00:00.1239+09:00': '2026-06-01T19:00:00.123+09:00',
    '2026-06-01t19:00:00.5z': '2026-06-01T19:00:00.500Z',
    '2026-06-01T19:00:00-00:00': '2026-06-01T19:00:00.000Z',
    '0001-01-01T00:00:00Z': '0001-01-01T00:00:00.000Z',
  };
  for (const [sent, stored] of Object.entries(kept)) {
    expect((await captureAt(scope_id, sent, sent)).status).toBe(202);
    const { body } = await readSource(service, scope_id, sent);
    expect(body).toMatchObject({ content: 'said', occurred_at: stored });
  }
  const refused = [
    '2026-06-01T19:00:00',
    '2026-06-01',
    '2026-06-01T24:00:00Z',
    '0000-12-31T23:00:00-05:00',
    '0001-01-01T00:00:00+09:00',
    '2026-02-29T00:00:00Z',
    '',
  ];
  for (const sent of refused) {
    const { status, error } = await captureAt(scope_id, 'refused', sent);
    expect([sent, status, error?.code]).toEqual([sent, 422, 'invalid_request']);
    expect(error?.details).toMatchObject({ issues: [{ path: 'occurred_at' }] });
  }
  await capture(service, scope_id, 'unknown', 'said');
  expect((await readSource(service, scope_id, 'unknown')).body).toMatchObject({ occurred_at: null });
});

test('spec 70 scenario 1: another time under one id is 409, the same time in another spelling is a repeat', async () => {
  const scope_id = freshScope();
  const first = await captureAt(scope_id, 'a', '2026-06-01T19:00:00Z');
  expect((await captureAt(scope_id, 'a', '2026-06-01T19:00:00.0000+00:00')).body).toEqual(first.body);
  // The same instant elsewhere: the local date is part of what was said.
  for (const other of ['2026-06-01T14:00:00-05:00', '2026-06-01T19:00:01Z', null]) {
    expect((await captureAt(scope_id, 'a', other)).error?.code).toBe('source_conflict');
  }
});

test('spec 70 §1.1: create_source keeps the time, which an Idempotency-Key covers', async () => {
  const scope_id = freshScope();
  const create = (occurred_at: string | null) =>
    service.call('create_source', {
      params: { scope_id },
      headers: { 'idempotency-key': 'once' },
      body: { content: { a: 1 }, occurred_at },
    });
  const first = await create('2026-06-01T19:00:00+02:00');
  expect(first.body).toMatchObject({ occurred_at: '2026-06-01T19:00:00.000+02:00' });
  expect((await create('2026-06-01T19:00:00+02:00')).body).toEqual(first.body);
  expect((await create(null)).status).toBe(409);
});

test('spec 70 §1.1.3: the date of a prepared item is the earliest one of its evidence', async () => {
  const scope_id = freshScope();
  await captureAt(scope_id, 'late', '2024-03-09T10:00:00Z');
  await captureAt(scope_id, 'early', '2024-03-01T00:30:00.000+09:00');
  await capture(service, scope_id, 'undated', 'said');
  const fact = async (text: string, ...ids: string[]) =>
    service.call('remember_memory', {
      body: { scope_id, kind: 'fact', text, source_refs: ids.map(ref) },
    });
  await fact('The gazebo is green.', 'late', 'early', 'undated');
  await fact('The gazebo is tall.', 'undated');
  await remember(service, scope_id, 'The gazebo is old.');
  const { items } = await prepareCompact(service, scope_id, 'gazebo');
  const today = items.find(({ text }) => text === 'The gazebo is old.')?.on ?? '';
  expect(today > '2026-01-01').toBe(true);
  expect(Object.fromEntries(items.map(({ text, on }) => [text, on]))).toEqual({
    'The gazebo is green.': '2024-02-29',
    'The gazebo is tall.': today,
    'The gazebo is old.': today,
  });
});

test('spec 70 §1.1.3: a time with an offset that PostgreSQL does not know dates an item too', async () => {
  const scope_id = freshScope();
  await captureAt(scope_id, 'east', '2024-02-01T00:00:00+23:00');
  await captureAt(scope_id, 'west', '2024-03-01T23:59:59-23:59');
  for (const [text, id] of [
    ['The pergola is red.', 'east'],
    ['The pergola is low.', 'west'],
  ] as const)
    await service.call('remember_memory', { body: { scope_id, kind: 'fact', text, source_refs: [ref(id)] } });
  const { items } = await prepareCompact(service, scope_id, 'pergola');
  expect(Object.fromEntries(items.map(({ text, on }) => [text, on]))).toEqual({
    'The pergola is red.': '2024-01-31',
    'The pergola is low.': '2024-03-02',
  });
});

test('spec 70 scenario 2: remember takes Sources as evidence, and adds missing ones to an equal entry', async () => {
  const scope_id = freshScope();
  const fact = (ids: string[], more: { text?: string; expected_revision?: number } = {}) =>
    service.call('remember_memory', {
      body: { scope_id, kind: 'fact', text: 'The pump is loud.', source_refs: ids.map(ref), ...more },
    });
  const unknown = await fact(['a']);
  expect([unknown.status, unknown.error?.code]).toEqual([404, 'source_not_found']);
  expect(unknown.error?.details).toEqual({ source_ref: ref('a') });
  // Nothing was created, not even the Scope.
  expect((await service.send('GET', `/v1/scopes/${scope_id}`)).status).toBe(404);

  for (const id of ['a', 'b']) await capture(service, scope_id, id, 'said');
  const artifact = await service.call('create_artifact', {
    params: { scope_id },
    body: { family: 'memory', content: { entries: [{ kind: 'fact', text: 'Made as an Artifact.' }] } },
  });
  const lineage = artifact.body.sources[0]?.source_id ?? '';
  const refused = await fact(['a', lineage]);
  expect([refused.status, refused.error?.code]).toEqual([422, 'source_not_eligible']);
  expect(refused.error?.details).toEqual({ source_ref: ref(lineage) });
  expect((await fact(['a', 'a'])).error?.code).toBe('invalid_request');
  // `expected_revision` comes first.
  expect((await fact(['nowhere'], { expected_revision: 7 })).error?.code).toBe('revision_conflict');

  const first = await fact(['b']);
  expect(first.body.entry).toMatchObject({ version: 1, source_refs: [ref('b')] });
  expect((await fact(['b'])).body).toEqual(first.body);
  expect((await fact([])).body).toEqual(first.body);
  const second = await fact(['a', 'b']);
  expect(second.body.memory.revision).toBe(first.body.memory.revision + 1);
  expect(second.body.entry).toMatchObject({ version: 2, source_refs: [ref('a'), ref('b')] });
  expect(second.body.entry?.citation.entry_id).toBe(first.body.entry?.citation.entry_id);
  const changes = await service.call('list_memory_changes', { body: { scope_id } });
  expect(changes.body.revisions[0]?.changes).toMatchObject([{ op: 'revise', reason: 'evidence' }]);
});

test('spec 70 scenario 2: an entry retired after its Sources were stored stays retired, and a later Source brings it back', async () => {
  const scope_id = freshScope();
  await capture(service, scope_id, 'before', 'said');
  const fact = (...ids: string[]) =>
    service.call('remember_memory', {
      body: { scope_id, kind: 'fact', text: 'The pump is loud.', source_refs: ids.map(ref) },
    });
  const { entry } = (await fact('before')).body;
  if (entry === null) throw new Error('There is no entry.');
  await retire(service, scope_id, entry.citation);
  const answer = await fact('before');
  expect(answer.body).toMatchObject({ memory: { revision: 2 }, entry: { state: 'inactive', version: 1 } });
  await capture(service, scope_id, 'after', 'said again');
  expect((await fact('before', 'after')).body).toMatchObject({
    memory: { revision: 3 },
    entry: { state: 'active', version: 2, source_refs: [ref('after'), ref('before')] },
  });
});
