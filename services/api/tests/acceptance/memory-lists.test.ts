import type { CallInput } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { type Citation, freshScope, historyOf, remember, retire } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

type ListBody = NonNullable<CallInput<'list_memory_entries'>['body']>;
type ChangesBody = NonNullable<CallInput<'list_memory_changes'>['body']>;

const list = (body: ListBody) => service.call('list_memory_entries', { body });
const changes = (body: ChangesBody) => service.call('list_memory_changes', { body });

/** Another letter in the middle of the cursor. */
function alter(cursor: string): string {
  const at = Math.floor(cursor.length / 2);
  return cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
}

test('spec 20 scenario 14: all pages of a list show the revision of the first page', async () => {
  const scope_id = freshScope();
  const before: Citation[] = [];
  for (let index = 0; index < 250; index += 1) {
    before.push((await remember(service, scope_id, `entry ${index}`)).entry.citation);
  }
  const write = async (name: string) => {
    for (let index = 0; index < 15; index += 1) await remember(service, scope_id, `${name} ${index}`);
    for (let index = 0; index < 5; index += 1) {
      const citation = before[Math.floor(Math.random() * before.length)];
      if (citation !== undefined) await retire(service, scope_id, citation);
    }
  };
  const first = await list({ scope_id, limit: 100 });
  await write('between one and two');
  const second = await list({ scope_id, limit: 100, cursor: first.body.next_cursor });
  await write('between two and three');
  const third = await list({ scope_id, limit: 200, cursor: second.body.next_cursor });

  const pages = [first.body, second.body, third.body];
  expect(pages.map((page) => page.entries.length)).toEqual([100, 100, 50]);
  expect(third.body.next_cursor).toBeNull();
  const entries = pages.flatMap((page) => page.entries);
  expect(entries.map((entry) => entry.citation.entry_id)).toEqual(
    before.map((citation) => citation.entry_id).sort(),
  );
  const pinned = { family: 'memory', artifact_id: 'memory', revision: 250 };
  expect(pages.map((page) => page.memory)).toEqual([pinned, pinned, pinned]);
  for (const entry of entries) {
    expect(entry).toMatchObject({ state: 'active', citation: { memory_ref: pinned } });
  }
  const whole = await list({ scope_id, include_inactive: true });
  expect(whole.body.entries).toHaveLength(280);
  expect(whole.body.next_cursor).toBeNull();
});

test('spec 20 scenario 14: an altered cursor, or one of another list, is 400', async () => {
  const scope_id = freshScope();
  for (const text of ['a', 'b', 'c']) await remember(service, scope_id, text);
  const { body } = await list({ scope_id, limit: 1, include_inactive: true });
  const cursor = body.next_cursor ?? '';
  expect((await list({ scope_id, cursor })).body.entries).toHaveLength(2);
  expect((await list({ scope_id, cursor, include_inactive: true })).status).toBe(200);
  const changeCursor = (await changes({ scope_id, since_revision: 0, limit: 1 })).body.next_cursor;
  const wrong: ListBody[] = [
    { scope_id, cursor: alter(cursor) },
    { scope_id, cursor: cursor.slice(0, -1) },
    { scope_id, cursor: `${cursor}A` },
    { scope_id, cursor: `${cursor}==` },
    { scope_id, cursor: 'x' },
    { scope_id: freshScope(), cursor },
    { scope_id, cursor, include_inactive: false },
    { scope_id, cursor: changeCursor },
  ];
  for (const asked of wrong) {
    const { status, error } = await list(asked);
    expect({ asked, status, code: error?.code }).toEqual({ asked, status: 400, code: 'invalid_cursor' });
  }
});

test('spec 60 §3.4.1: newest first, a list goes back from the newest entry, and its cursor pins the order', async () => {
  const scope_id = freshScope();
  const ids: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    ids.push((await remember(service, scope_id, `entry ${index}`)).entry.citation.entry_id);
  }
  const shown: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await list({ scope_id, order: 'newest', limit: 3, cursor });
    shown.push(...body.entries.map(({ citation }) => citation.entry_id));
    cursor = body.next_cursor;
    // A write behind the first page is in no later one.
    await remember(service, scope_id, `later ${shown.length}`);
  }
  expect(shown).toEqual(ids.toReversed());
  const { next_cursor: cursor } = (await list({ scope_id, order: 'newest', limit: 9 })).body;
  const pinned = await list({ scope_id, cursor });
  expect(pinned.body.entries.map(({ citation }) => citation.entry_id)).toEqual(ids.slice(0, 1));
  expect((await list({ scope_id, cursor, order: 'oldest' })).error?.code).toBe('invalid_cursor');
});

test('spec 60 §3.4.1: a list of a kind has its entries alone, whatever the spelling of the request', async () => {
  const scope_id = freshScope();
  const wanted: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const kind = index % 3 === 0 ? 'd\u00e9cision' : 'fact';
    const { body } = await service.call('remember_memory', {
      body: { scope_id, kind, text: `entry ${index}` },
    });
    if (kind !== 'fact' && body.entry !== null) wanted.push(body.entry.citation.entry_id);
  }
  const kind = ' de\u0301cision ';
  for (const order of ['oldest', 'newest'] as const) {
    const shown: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await list({ scope_id, kind, order, limit: 2, cursor });
      shown.push(...body.entries.map(({ citation }) => citation.entry_id));
      cursor = body.next_cursor;
    }
    expect(shown).toEqual(order === 'oldest' ? wanted : wanted.toReversed());
  }
  const { next_cursor: cursor } = (await list({ scope_id, kind, limit: 2 })).body;
  expect((await list({ scope_id, cursor })).body.entries).toHaveLength(2);
  expect((await list({ scope_id, cursor, kind: null })).body.entries).toHaveLength(2);
  expect((await list({ scope_id, cursor, kind: 'fact' })).error?.code).toBe('invalid_cursor');
  expect((await list({ scope_id, kind: 'nothing' })).body).toMatchObject({ entries: [], next_cursor: null });
  for (const wrong of ['', ' \u0085 ', 'x'.repeat(129)]) {
    expect((await list({ scope_id, kind: wrong })).error?.code).toBe('invalid_request');
  }
});

test('spec 20 L2: list and changes of a Scope without Memory are empty', async () => {
  const scope_id = freshScope();
  expect((await list({ scope_id })).body).toEqual({ memory: null, entries: [], next_cursor: null });
  expect((await changes({ scope_id })).body).toEqual({ memory: null, revisions: [], next_cursor: null });
});

test('spec 20 L3: a page ends before the entry that would take it over 4 MiB', async () => {
  const scope_id = freshScope();
  for (let index = 0; index < 530; index += 1) {
    await remember(service, scope_id, String(index).padEnd(8192, '"'));
  }
  const first = await list({ scope_id });
  const size = Buffer.byteLength(JSON.stringify(first.body.entries));
  expect(size).toBeLessThanOrEqual(4 * 1024 * 1024 + 2);
  expect(size).toBeGreaterThan(4 * 1024 * 1024 - 20_000);
  let count = first.body.entries.length;
  for (let cursor = first.body.next_cursor; cursor !== null; ) {
    const { body } = await list({ scope_id, cursor });
    count += body.entries.length;
    cursor = body.next_cursor;
  }
  expect(count).toBe(530);
});

test('spec 20 scenario 15: changes begin after since_revision', async () => {
  const scope_id = freshScope();
  for (let index = 1; index <= 5; index += 1) await remember(service, scope_id, `entry ${index}`);
  const revisions = async (since_revision?: number | null) => {
    const { body } = await changes({ scope_id, since_revision });
    expect(body.memory?.revision).toBe(5);
    return body.revisions.map(({ memory_ref }) => memory_ref.revision);
  };
  expect(await revisions()).toEqual([5]);
  expect(await revisions(null)).toEqual([5]);
  expect(await revisions(0)).toEqual([1, 2, 3, 4, 5]);
  expect(await revisions(3)).toEqual([4, 5]);
  expect(await revisions(5)).toEqual([]);
  for (const since_revision of [6, -1, Number.MAX_SAFE_INTEGER]) {
    expect((await changes({ scope_id, since_revision })).error?.code).toBe('invalid_request');
  }
  for (const since_revision of [0, 7]) {
    const { body } = await changes({ scope_id: freshScope(), since_revision });
    expect(body).toEqual({ memory: null, revisions: [], next_cursor: null });
  }
});

test('spec 20 L7: pages of changes run to the head of the first page', async () => {
  const scope_id = freshScope();
  for (let index = 1; index <= 7; index += 1) await remember(service, scope_id, `entry ${index}`);
  const first = await changes({ scope_id, since_revision: 1, limit: 4 });
  await remember(service, scope_id, 'later');
  const second = await changes({ scope_id, limit: 1000, cursor: first.body.next_cursor });
  expect(second.body.memory?.revision).toBe(7);
  expect(second.body.next_cursor).toBeNull();
  const shown = [...first.body.revisions, ...second.body.revisions];
  expect(shown).toEqual((await historyOf(service, scope_id)).slice(1, 7));
  const cursor = first.body.next_cursor ?? '';
  for (const asked of [
    { scope_id, cursor: alter(cursor) },
    { scope_id: freshScope(), cursor },
    { scope_id, cursor, since_revision: 2 },
  ]) {
    expect((await changes(asked)).error?.code).toBe('invalid_cursor');
  }
});

/** An entry of so many events: added, revised, then retired at last. */
async function eventful(scope_id: string, events: number) {
  let { entry } = await remember(service, scope_id, 'version 1');
  for (let version = 2; version < events; version += 1) {
    const { body } = await service.call('revise_memory_entry', {
      body: {
        scope_id,
        citation: entry.citation,
        kind: 'fact',
        text: `version ${version}`,
        reason: `because ${version}`,
      },
    });
    if (body.entry === null) throw new Error('The revision has no entry.');
    entry = body.entry;
  }
  return entry;
}

const historyPages = async (scope_id: string, entry_id: string, limit: number) => {
  const pages = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await service.call('list_memory_entry_history', {
      body: { scope_id, entry_id, limit, ...(cursor !== undefined && { cursor }) },
    });
    pages.push(body);
    cursor = body.next_cursor;
  }
  return pages;
};

test('spec 60 scenario 18: an entry with 300 events: pages of 20, each link exact after 50 more events', async () => {
  const scope_id = freshScope();
  const entry = await eventful(scope_id, 300);
  await retire(service, scope_id, entry.citation);
  const { entry_id } = entry.citation;
  const first = await service.call('list_memory_entry_history', { body: { scope_id, entry_id } });
  const events = [...first.body.events];
  for (let cursor = first.body.next_cursor; cursor !== null; ) {
    // Other revisions between the pages are in no page of this list.
    await remember(service, scope_id, `between ${events.length}`);
    const { body } = await service.call('list_memory_entry_history', {
      body: { scope_id, entry_id, cursor },
    });
    expect(body.memory).toEqual(first.body.memory);
    events.push(...body.events);
    cursor = body.next_cursor;
  }
  expect(events.map(({ entry: { version } }) => version)).toEqual([
    299,
    ...Array.from({ length: 299 }, (_, index) => 299 - index),
  ]);
  expect(events[0]).toMatchObject({ op: 'deactivate', entry: { state: 'inactive', text: 'version 299' } });
  expect(events[1]).toMatchObject({ op: 'revise', reason: 'because 299', entry: { state: 'active' } });
  expect(events.at(-1)).toMatchObject({ op: 'add', reason: null, entry: { text: 'version 1' } });
  const times = events.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  await remember(service, scope_id, 'version 299');
  for (let more = 0; more < 49; more += 1) await remember(service, scope_id, `more ${more}`);
  for (const event of events.filter((_, index) => index % 13 === 0)) {
    const { body } = await service.call('get_memory_entry', {
      body: { scope_id, citation: event.entry.citation },
    });
    expect(body).toEqual(event.entry);
  }
});

test('spec 60 §3.3: the history of an entry ends at the head of its first page, and a page at 4 MiB', async () => {
  const scope_id = freshScope();
  const { citation } = await eventful(scope_id, 4);
  const { entry_id } = citation;
  const pages = await historyPages(scope_id, entry_id, 2);
  expect(pages.map(({ events }) => events.map(({ entry }) => entry.version))).toEqual([[3, 2], [1]]);
  const [cursor] = pages.map(({ next_cursor }) => next_cursor);
  const other = (await remember(service, scope_id, 'another entry')).entry.citation;
  for (const [change, code] of [
    [{ cursor: alter(cursor ?? '') }, 'invalid_cursor'],
    [{ cursor, entry_id: other.entry_id }, 'invalid_cursor'],
    [{ cursor, scope_id: freshScope() }, 'invalid_cursor'],
    [{ cursor, artifact_id: 'another' }, 'invalid_cursor'],
    [{ entry_id: other.entry_version_id }, 'memory_not_found'],
    [{ entry_id: entry_id.toUpperCase() }, 'memory_not_found'],
    [{ entry_id: "'--" }, 'memory_not_found'],
    [{ artifact_id: 'another' }, 'memory_not_found'],
    [{ scope_id: freshScope() }, 'memory_not_found'],
    [{ entry_id: 'a b' }, 'invalid_request'],
    [{ limit: 101 }, 'invalid_request'],
    [{ limit: 0 }, 'invalid_request'],
    [{ cursor: '' }, 'invalid_request'],
  ] as const) {
    const body = { scope_id, entry_id, ...change };
    expect([change, (await service.call('list_memory_entry_history', { body })).error?.code]).toEqual([
      change,
      code,
    ]);
  }
});
