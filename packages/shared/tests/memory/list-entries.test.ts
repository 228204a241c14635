import { CursorCodec } from '@continuity/shared/handlers';
import { expect, test } from 'vitest';
import { addRevision } from '../../src/memory/commit-revision.ts';
import { addEntry } from '../../src/memory/entry-writes.ts';
import { ensureLockedMemory } from '../../src/memory/head.ts';
import { listEntries } from '../../src/memory/list-entries.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('list-entries');
const cursors = new CursorCodec(Buffer.alloc(32));
const scopeId = 'evidence';
const maxPageBytes = 4 * 1024 * 1024;

/** As many references as an entry can have, of 32 KB together. */
const source_refs = Array.from({ length: 32 }, (_, index) => ({
  name: 'content',
  source_id: `${index} ${'😀'.repeat(246)}`,
}));

test('spec 20 L3: pages that end at their limit of bytes list every entry once', async () => {
  const writes = Array.from({ length: 240 }, (_, index) => {
    const write = addEntry({ kind: 'fact', text: `Entry ${index}` }, null);
    return { ...write, after: { ...write.after, source_refs } };
  });
  await database.transaction(async (sql) => {
    await addRevision(sql, await ensureLockedMemory(sql, tenantId, scopeId), writes);
  });
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const list = { tenantId, scopeId, includeInactive: false, limit: null, cursor };
    const page = await listEntries(database.sql, cursors, list);
    expect(Buffer.byteLength(JSON.stringify(page.entries))).toBeLessThan(maxPageBytes + 10);
    listed.push(...page.entries.map(({ citation }) => citation.entry_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(listed).toEqual(writes.map(({ after }) => after.entry_id));
});

test('spec 60 §3.4.1: a page of a kind looks at 2,000 entries, and the last page has its only one', async () => {
  const rare = 'rare';
  const writes = Array.from({ length: 4_500 }, (_, index) =>
    addEntry({ kind: index === 4_100 ? 'decision' : 'fact', text: `Entry ${index}` }, null),
  );
  await database.transaction(async (sql) => {
    await addRevision(sql, await ensureLockedMemory(sql, tenantId, rare), writes);
  });
  for (const order of ['oldest', 'newest'] as const) {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const list = {
        tenantId,
        scopeId: rare,
        includeInactive: false,
        limit: 20,
        order,
        kind: 'decision',
        cursor,
      };
      const page = await listEntries(database.sql, cursors, list);
      pages.push(page.entries.map(({ text }) => text));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual(order === 'oldest' ? [[], [], ['Entry 4100']] : [['Entry 4100'], [], []]);
  }
});
