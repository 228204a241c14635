import { afterAll, describe, expect, test } from 'vitest';
import {
  type Citation,
  countStatuses,
  freshScope,
  headOf,
  historyOf,
  race,
  remember,
  retire,
} from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

const get = (scope_id: string, citation: Citation) =>
  service.call('get_memory_entry', { body: { scope_id, citation } });
const revise = (scope_id: string, citation: Citation, text: string) =>
  service.call('revise_memory_entry', { body: { scope_id, citation, kind: 'fact', text } });

test('spec 20 scenario 9: a citation is the lock of a revise, and stays readable', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(service, scope_id, 'old text');
  await remember(service, scope_id, 'something else');
  const stale = await revise(scope_id, entry.citation, 'new text');
  const head = { family: 'memory', artifact_id: 'memory', revision: 2 };
  const current: Citation = { ...entry.citation, memory_ref: head };
  expect(stale.status).toBe(409);
  expect(stale.error).toMatchObject({
    code: 'revision_conflict',
    details: { expected_revision: 1, current_revision: 2, current: head, current_citation: current },
  });
  const revised = await revise(scope_id, current, 'new text');
  expect(revised.body.entry).toMatchObject({ version: 2, text: 'new text', state: 'active' });
  expect(revised.body.entry?.citation.memory_ref).toEqual({ ...head, revision: 3 });
  expect((await get(scope_id, entry.citation)).body).toEqual(entry);
  expect((await get(scope_id, current)).body).toEqual({ ...entry, citation: current });
});

test('spec 20 scenario 10: one of two concurrent revises with one citation succeeds', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(service, scope_id, 'contested');
  const replies = await race(2, (index) => revise(scope_id, entry.citation, `by ${index}`));
  expect(countStatuses(replies)).toEqual({ 200: 1, 409: 1 });
  const ops = (await historyOf(service, scope_id)).flatMap(({ changes }) =>
    changes.map((change) => change.op),
  );
  expect(ops).toEqual(['add', 'revise']);
});

describe('spec 20 V5: a repeat answers as the first', () => {
  type Write = (scope_id: string, citation: Citation, reason?: string) => ReturnType<typeof revise>;
  const writes: [string, Write][] = [
    [
      'revise',
      (scope_id, citation, reason) =>
        service.call('revise_memory_entry', {
          body: { scope_id, citation, kind: 'fact', text: 'new text', reason },
        }),
    ],
    [
      'retire',
      (scope_id, citation, reason) =>
        service.call('retire_memory_entry', { body: { scope_id, citation, reason } }),
    ],
  ];

  test.each(writes)(
    'spec 20 scenario 10: equal concurrent ones are all 200 with one change (%s)',
    async (_name, write) => {
      const scope_id = freshScope();
      const { entry } = await remember(service, scope_id, 'contested');
      const replies = await race(8, () => write(scope_id, entry.citation, 'why'));
      const [first] = replies;
      for (const { body } of replies) expect(body).toEqual(first?.body);
      expect(first?.body.memory?.revision).toBe(2);
      expect(await headOf(service, scope_id)).toBe(2);
    },
  );

  test.each(writes)('after other entries changed, but not after this one did (%s)', async (_name, write) => {
    const scope_id = freshScope();
    const { entry } = await remember(service, scope_id, 'old text');
    const first = (await write(scope_id, entry.citation)).body;
    await remember(service, scope_id, 'something else');
    expect((await write(scope_id, entry.citation)).body).toEqual(first);
    expect(await headOf(service, scope_id)).toBe(3);
    // The entry changes: a late repeat must not pass for the state of now.
    const now = (
      await service.call('get_memory_entry', { body: { scope_id, entry_id: entry.citation.entry_id } })
    ).body;
    if (now.state === 'active') await revise(scope_id, now.citation, 'newer text');
    else await remember(service, scope_id, 'old text');
    const late = await write(scope_id, entry.citation);
    expect(late.error).toMatchObject({ code: 'revision_conflict', details: { current_revision: 4 } });
    expect(await headOf(service, scope_id)).toBe(4);
  });

  test.each(writes)('another reason, version or revision is no repeat (%s)', async (_name, write) => {
    const scope_id = freshScope();
    const { entry } = await remember(service, scope_id, 'old text');
    const { citation: other } = (await remember(service, scope_id, 'other')).entry;
    const citation = { ...entry.citation, memory_ref: other.memory_ref };
    expect((await write(scope_id, citation, 'why')).status).toBe(200);
    const refused = [
      write(scope_id, citation, 'because'),
      write(scope_id, citation),
      write(scope_id, entry.citation, 'why'),
      write(scope_id, { ...citation, entry_version_id: other.entry_version_id }, 'why'),
      write(scope_id, { ...citation, entry_version_id: 'nobody' }, 'why'),
    ];
    for (const reply of refused) expect((await reply).error?.code).toBe('revision_conflict');
    expect(await headOf(service, scope_id)).toBe(3);
  });

  test('a retire is no repeat of a revise, nor a revise to another text', async () => {
    const scope_id = freshScope();
    const { entry } = await remember(service, scope_id, 'old text');
    await revise(scope_id, entry.citation, 'new text');
    expect((await revise(scope_id, entry.citation, 'other text')).error?.code).toBe('revision_conflict');
    const retired = await service.call('retire_memory_entry', {
      body: { scope_id, citation: entry.citation },
    });
    expect(retired.error?.code).toBe('revision_conflict');
  });
});

test('spec 20 L1: an entry is read by its id as it is now, with one look-up', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(service, scope_id, 'old text');
  const { entry_id } = entry.citation;
  const byId = (scope: string, id: string) =>
    service.call('get_memory_entry', { body: { scope_id: scope, entry_id: id } });
  const revised = (await revise(scope_id, entry.citation, 'new text')).body.entry;
  await remember(service, scope_id, 'something else');
  const now = (await byId(scope_id, entry_id)).body;
  expect(now).toMatchObject({ text: 'new text', version: 2, citation: { memory_ref: { revision: 3 } } });
  expect(now.citation.entry_version_id).toBe(revised?.citation.entry_version_id);
  await retire(service, scope_id, now.citation);
  expect((await byId(scope_id, entry_id)).body).toMatchObject({ state: 'inactive', text: 'new text' });
  expect((await byId(freshScope(), entry_id)).error?.code).toBe('memory_not_found');
  expect((await byId(scope_id, 'nobody')).error?.code).toBe('memory_not_found');
  expect((await byId(scope_id, entry_id.toUpperCase())).error?.code).toBe('memory_not_found');
  const both = await service.send('POST', '/v1/memory/entries/get', {
    scope_id,
    entry_id,
    citation: entry.citation,
  });
  expect(both.status).toBe(422);
});

test('spec 20 scenario 11: a retired entry is out of search and list, and stays readable', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(service, scope_id, 'retired wisdom');
  const retired = await retire(service, scope_id, entry.citation);
  expect(retired).toMatchObject({ state: 'inactive', version: 1, citation: { memory_ref: { revision: 2 } } });
  const { body: found } = await service.call('search_memory', { body: { scope_id, query: 'wisdom' } });
  expect(found).toEqual({ memory: retired.citation.memory_ref, mode: 'fts', hits: [], reason: 'no_memory' });
  const list = (include_inactive?: boolean) =>
    service.call('list_memory_entries', { body: { scope_id, include_inactive } });
  expect((await list()).body.entries).toEqual([]);
  expect((await list(true)).body.entries).toEqual([retired]);
  expect((await get(scope_id, entry.citation)).body.state).toBe('active');
  expect((await get(scope_id, retired.citation)).body).toEqual(retired);

  const refused = await revise(scope_id, retired.citation, 'again');
  expect(refused.error).toMatchObject({
    code: 'memory_entry_inactive',
    details: { entry_id: entry.citation.entry_id, current: retired.citation.memory_ref },
  });
  const repeated = await service.call('retire_memory_entry', {
    body: { scope_id, citation: retired.citation },
  });
  expect(repeated.body).toEqual({ memory: retired.citation.memory_ref, entry: retired });
  expect(await headOf(service, scope_id)).toBe(2);
});

test('spec 20 scenario 13: a citation that this Memory does not hold is not found', async () => {
  const scope_id = freshScope();
  const [first, second] = [
    await remember(service, scope_id, 'first'),
    await remember(service, scope_id, 'second'),
  ];
  const elsewhere = await remember(service, freshScope(), 'elsewhere');
  const { citation } = second.entry;
  const ref = citation.memory_ref;
  const wrong: [string, Citation][] = [
    ['a foreign entry_id', { ...citation, entry_id: elsewhere.entry.citation.entry_id }],
    ['an entry_id that is no id', { ...citation, entry_id: 'nobody' }],
    [
      'the version of another entry',
      { ...citation, entry_version_id: first.entry.citation.entry_version_id },
    ],
    ['another family', { ...citation, memory_ref: { ...ref, family: 'skill' } }],
    ['another Artifact', { ...citation, memory_ref: { ...ref, artifact_id: 'memory2' } }],
    ['a revision above the head', { ...citation, memory_ref: { ...ref, revision: 3 } }],
    ['the largest revision', { ...citation, memory_ref: { ...ref, revision: Number.MAX_SAFE_INTEGER } }],
    ['a revision before the entry', { ...citation, memory_ref: { ...ref, revision: 1 } }],
    ['upper case', { ...citation, entry_id: citation.entry_id.toUpperCase() }],
  ];
  for (const [name, cited] of wrong) {
    const reply = await get(scope_id, cited);
    expect({ name, code: reply.error?.code }).toEqual({ name, code: 'memory_not_found' });
  }
  expect((await get(freshScope(), citation)).error?.code).toBe('memory_not_found');
});

test('spec 20 V1: a write judges existence, then revision, then the pair of ids', async () => {
  const scope_id = freshScope();
  const { entry } = await remember(service, scope_id, 'here');
  await remember(service, scope_id, 'there');
  const at = (revision: number, change: Partial<Citation> = {}): Citation => ({
    ...entry.citation,
    memory_ref: { ...entry.citation.memory_ref, revision },
    ...change,
  });
  const codeOf = async (citation: Citation, scope = scope_id) =>
    (await revise(scope, citation, 'changed')).error?.code;
  expect(await codeOf(at(2), freshScope())).toBe('memory_not_found');
  expect(await codeOf(at(2, { memory_ref: { ...at(1).memory_ref, family: 'skill' } }))).toBe(
    'memory_not_found',
  );
  expect(await codeOf(at(9))).toBe('revision_conflict');
  expect(await codeOf(at(2, { entry_id: 'nobody' }))).toBe('memory_not_found');
  const unknown = await revise(scope_id, at(1, { entry_id: 'nobody' }), 'changed');
  expect(unknown.error).toMatchObject({ code: 'revision_conflict', details: { current_citation: null } });
  expect(await headOf(service, scope_id)).toBe(2);
});

test('spec 20 V2: revising to equal content changes nothing; the content of another entry is allowed', async () => {
  const scope_id = freshScope();
  await remember(service, scope_id, 'taken');
  const { entry } = await remember(service, scope_id, 'mine');
  const same = await revise(scope_id, entry.citation, ' mine ');
  expect(same.body).toEqual({ memory: entry.citation.memory_ref, entry });
  const equal = await revise(scope_id, entry.citation, 'taken');
  expect(equal.body.entry).toMatchObject({ version: 2, text: 'taken' });
});
