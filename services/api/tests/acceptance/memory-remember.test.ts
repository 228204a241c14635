import { afterAll, expect, test } from 'vitest';
import { countStatuses, freshScope, headOf, historyOf, race, remember, retire } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

test('spec 20 scenario 1: a first remember is revision 1 with a citation that get answers', async () => {
  const scope_id = freshScope();
  const { memory, entry } = await remember(service, scope_id, 'Ship on Fridays.', 'decision');
  expect(memory).toEqual({ family: 'memory', artifact_id: 'memory', revision: 1 });
  expect(entry).toMatchObject({ version: 1, kind: 'decision', text: 'Ship on Fridays.', state: 'active' });
  expect(entry.citation.memory_ref).toEqual(memory);
  const got = await service.call('get_memory_entry', { body: { scope_id, citation: entry.citation } });
  expect(got.body).toEqual(entry);
});

test('spec 20 scenario 3: equal content is not stored twice, another kind is another entry', async () => {
  const scope_id = freshScope();
  const first = await remember(service, scope_id, 'Caf\u00e9 closes at ten.');
  const again = await remember(service, scope_id, ' \u3000\tCafe\u0301 closes at ten.\n ');
  expect(again).toEqual(first);
  const other = await remember(service, scope_id, 'Caf\u00e9 closes at ten.', 'constraint');
  expect(other.memory.revision).toBe(2);
  expect(other.entry.citation.entry_id).not.toBe(first.entry.citation.entry_id);
});

test('spec 20 scenario 4: 50 concurrent remembers in a new Scope make 50 revisions without a gap', async () => {
  const scope_id = freshScope();
  const replies = await race(50, (index) => remember(service, scope_id, `Statement number ${index}.`));
  const revisions = replies.map((reply) => reply.memory.revision).sort((left, right) => left - right);
  const all = Array.from({ length: 50 }, (_, index) => index + 1);
  expect(revisions).toEqual(all);
  expect(await headOf(service, scope_id)).toBe(50);
  const history = await historyOf(service, scope_id);
  expect(history.map((revision) => revision.memory_ref.revision)).toEqual(all);
  expect(history.every(({ changes }) => changes.length === 1 && changes[0]?.op === 'add')).toBe(true);
  const list = await service.call('list_memory_entries', { body: { scope_id } });
  expect(new Set(list.body.entries.map((entry) => entry.text)).size).toBe(50);
  expect(list.body.entries).toHaveLength(50);
});

test('spec 20 scenario 5: 20 concurrent equal remembers store one entry', async () => {
  const scope_id = freshScope();
  const replies = await race(20, () => remember(service, scope_id, 'Only once.'));
  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
  expect(await headOf(service, scope_id)).toBe(1);
});

test('spec 20 scenario 6: one of several concurrent remembers with one expected_revision succeeds', async () => {
  const scope_id = freshScope();
  for (const text of ['one', 'two', 'three']) await remember(service, scope_id, text);
  const expecting = (expected_revision: number, text: string, scope = scope_id) =>
    service.call('remember_memory', { body: { scope_id: scope, kind: 'fact', text, expected_revision } });

  const replies = await race(10, (index) => expecting(3, `rival ${index}`));
  expect(countStatuses(replies)).toEqual({ 200: 1, 409: 9 });
  expect(replies.find((reply) => reply.status === 200)?.body.memory.revision).toBe(4);
  for (const { error } of replies.filter((reply) => reply.status === 409)) {
    expect(error).toMatchObject({ code: 'revision_conflict' });
    expect(error?.details).toEqual({
      expected_revision: 3,
      current_revision: 4,
      current: { family: 'memory', artifact_id: 'memory', revision: 4 },
    });
  }
  expect((await expecting(9, 'far ahead')).error?.code).toBe('revision_conflict');
  expect((await expecting(3, 'one')).error?.code).toBe('revision_conflict');
  expect((await expecting(1, 'nobody here', freshScope())).error?.code).toBe('memory_not_found');
  expect((await expecting(0, 'zero')).error?.code).toBe('invalid_request');
  expect(await headOf(service, scope_id)).toBe(4);
});

const brain = '\u{1F9E0}';

test.each([
  ['2048 emoji, 8192 bytes', brain.repeat(2048), 200],
  ['2049 emoji', brain.repeat(2049), 422],
  ['12,288 raw bytes that NFC makes 8192', 'e\u0301'.repeat(4096), 200],
  ['8191 CJK bytes and ASCII up to 8192', `${'記'.repeat(2730)}ab`, 200],
  ['8193 bytes of CJK and ASCII', `${'記'.repeat(2730)}abc`, 422],
  ['8192 bytes between white space', `\n\u0085${'x'.repeat(8192)}\u3000\uFEFF`, 200],
  ['white space only', '\u3000\t\u3000', 422],
  ['nothing', '', 422],
  ['a NUL', 'a\0b', 422],
  ['a lone surrogate', 'a\ud800b', 422],
])('spec 20 scenario 7: text of %s', async (_name, text, status) => {
  const reply = await service.call('remember_memory', { body: { scope_id: 'texts', kind: 'fact', text } });
  expect(reply.status).toBe(status);
  if (status === 200)
    expect(reply.body.entry?.text).toBe(text.normalize('NFC').replace(/^[\s\u0085]+|[\s\uFEFF]+$/g, ''));
});

test.each([
  ['128 characters', 'k'.repeat(128), 200],
  ['128 emoji', brain.repeat(128), 200],
  ['129 characters', 'k'.repeat(129), 422],
  ['nothing', '', 422],
  ['blanks', ' \u3000', 422],
])('spec 20 scenario 8: kind of %s', async (_name, kind, status) => {
  const reply = await service.call('remember_memory', { body: { scope_id: 'kinds', kind, text: 'x' } });
  expect(reply.status).toBe(status);
  if (status === 200) expect(reply.body.entry?.kind).toBe(kind);
});

test('spec 20 scenario 8: an unknown kind is stored as given', async () => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'x', '團隊規則');
  const { body } = await service.call('list_memory_entries', { body: { scope_id } });
  expect(body.entries.map((entry) => entry.kind)).toEqual(['團隊規則']);
});

test('spec 20 scenario 8: a reason has at most 512 code points, and a blank one is null', async () => {
  const scope_id = freshScope();
  const because = (text: string, reason: string) =>
    service.call('remember_memory', { body: { scope_id, kind: 'fact', text, reason } });
  expect((await because('long', brain.repeat(512))).status).toBe(200);
  expect((await because('longer', brain.repeat(513))).error?.code).toBe('invalid_request');
  expect((await because('blank', '  ')).status).toBe(200);
  expect((await because('trimmed', ' why ')).status).toBe(200);
  const history = await historyOf(service, scope_id);
  expect(history.map(({ changes }) => changes[0]?.reason)).toEqual([brain.repeat(512), null, 'why']);
});

test('spec 20 scenario 12: remembering a retired entry makes it active again', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(service, scope_id, 'Back soon.');
  await retire(service, scope_id, entry.citation);
  const back = await remember(service, scope_id, 'Back soon.');
  expect(back.memory.revision).toBe(3);
  expect(back.entry).toEqual({ ...entry, citation: { ...entry.citation, memory_ref: back.memory } });
  const last = (await historyOf(service, scope_id)).at(-1);
  expect(last?.changes).toEqual([
    {
      op: 'reactivate',
      entry_id: entry.citation.entry_id,
      from_entry_version_id: null,
      to_entry_version_id: entry.citation.entry_version_id,
      reason: null,
    },
  ]);
  const found = await service.call('search_memory', { body: { scope_id, query: 'soon' } });
  expect(found.body.hits.map((hit) => hit.citation)).toEqual([back.entry.citation]);
});
