import { randomUUID } from 'node:crypto';
import { CursorCodec } from '@continuity/shared/handlers';
import { beforeAll, describe, expect, test } from 'vitest';
import { retireEntry, reviseEntry } from '../../src/memory/change-entry.ts';
import { getEntry } from '../../src/memory/get-entry.ts';
import { listChanges } from '../../src/memory/list-changes.ts';
import { listEntries } from '../../src/memory/list-entries.ts';
import { parseQuery, searchScope, VectorSupportCache } from '../../src/memory/search/index.ts';
import { CorpusCache } from '../../src/search/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { fillMemory } from '../support/large-memory.ts';
import { addOtherScopes, rememberFact } from '../support/memory.ts';
import { keepVacuumAway, type Reads, readsOf } from '../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('large-memory');
const cursors = new CursorCodec(Buffer.alloc(32));
// Both are large enough not to be searched whole.
const small = { scopeId: 'small', entries: 1_600 };
const large = { scopeId: 'large', entries: 32_000 };

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  // Other Scopes, so that no table is small enough to be read from end to end.
  await addOtherScopes(database.pool, tenantId);
  for (const { scopeId, entries } of [small, large]) {
    await rememberText(scopeId, 'the first entry');
    await fillMemory(database.pool, { tenantId, scopeId }, entries);
  }
});

const rememberText = (scopeId: string, text: string) => rememberFact(database, { tenantId, scopeId }, text);

const firstPage = (scopeId: string, includeInactive: boolean, cursor?: string | null) =>
  listEntries(database.sql, cursors, { tenantId, scopeId, includeInactive, limit: 50, cursor });

const newestPage = (scopeId: string, kind: string | null) =>
  listEntries(database.sql, cursors, {
    tenantId,
    scopeId,
    includeInactive: true,
    order: 'newest',
    kind,
    limit: 50,
    cursor: null,
  });

const changePage = (scopeId: string, sinceRevision: number | null, cursor?: string | null) =>
  listChanges(database.sql, cursors, { tenantId, scopeId, sinceRevision, limit: 50, cursor });

const deps = {
  database,
  embedder: () => null,
  vectorSupport: new VectorSupportCache(),
  corpusCache: new CorpusCache(),
  reranker: null,
};

const find = async (scopeId: string, query: string) =>
  searchScope(deps, { tenantId, scopeId, limit: 10 }, await parseQuery(null, { query, mode: 'fts' }));

/** Each operation of spec 20 M20; what it needs first is read by `prepare` and not counted. */
const operations: [string, (scopeId: string) => Promise<() => Promise<unknown>>][] = [
  ['remember of a new entry', async (scopeId) => () => rememberText(scopeId, `new ${randomUUID()}`)],
  ['remember of an equal entry', async (scopeId) => () => rememberText(scopeId, 'the first entry')],
  [
    'get',
    async (scopeId) => {
      const { entries } = await firstPage(scopeId, false);
      return () => getEntry(database.sql, tenantId, scopeId, requireCitation(entries[20]));
    },
  ],
  [
    'retire',
    async (scopeId) => {
      const { entry } = await rememberText(scopeId, `to retire ${randomUUID()}`);
      return () =>
        retireEntry(database, { tenantId, scopeId, citation: requireCitation(entry), reason: null });
    },
  ],
  [
    'revise',
    async (scopeId) => {
      const { entry } = await rememberText(scopeId, `to revise ${randomUUID()}`);
      return () =>
        reviseEntry(database, {
          tenantId,
          scopeId,
          citation: requireCitation(entry),
          content: { kind: 'fact', text: `revised ${randomUUID()}` },
          reason: null,
        });
    },
  ],
  ['search for a rare word', async (scopeId) => () => find(scopeId, 'needle')],
  ['search for a rare and a common word', async (scopeId) => () => find(scopeId, 'needle ticket team')],
  ['search for common words', async (scopeId) => () => find(scopeId, 'ticket review')],
  ['search for three common words', async (scopeId) => () => find(scopeId, 'ticket closed review')],
  ['search for a word that nobody wrote', async (scopeId) => () => find(scopeId, 'xylophone')],
  ['the first page of a list', async (scopeId) => () => firstPage(scopeId, false)],
  ['the first page of a list with inactive entries', async (scopeId) => () => firstPage(scopeId, true)],
  ['the newest page of a list', async (scopeId) => () => newestPage(scopeId, null)],
  [
    'the second page of a list',
    async (scopeId) => {
      const { next_cursor } = await firstPage(scopeId, true);
      return () => firstPage(scopeId, true, next_cursor);
    },
  ],
  ['the latest change', async (scopeId) => () => changePage(scopeId, null)],
  ['the first page of changes', async (scopeId) => () => changePage(scopeId, 0)],
  [
    'the second page of changes',
    async (scopeId) => {
      const { next_cursor } = await changePage(scopeId, 100);
      return () => changePage(scopeId, null, next_cursor);
    },
  ],
];

function requireCitation<T extends { citation: unknown }>(entry: T | null | undefined): T['citation'] {
  if (entry === null || entry === undefined) throw new Error('There is no entry to cite.');
  return entry.citation;
}

/** Ten runs, after enough for the server to have settled on a plan. */
async function costOf(
  prepare: (scopeId: string) => Promise<() => Promise<unknown>>,
  scopeId: string,
): Promise<Reads> {
  for (let run = 0; run < 8; run += 1) await (await prepare(scopeId))();
  const total: Reads = { blocks: 0, scannedRows: 0 };
  for (let run = 0; run < 10; run += 1) {
    const operation = await prepare(scopeId);
    const reads = await readsOf(database, 1, operation);
    total.blocks += reads.blocks / 10;
    total.scannedRows += reads.scannedRows / 10;
  }
  return total;
}

describe.each([
  ['as long as the database has no statistics', async () => undefined],
  ['with statistics', () => database.pool.query('VACUUM ANALYZE')],
])(
  'spec 20 scenario 35 and M20: what an operation reads does not grow with the Memory, %s',
  (_when, begin) => {
    beforeAll(async () => {
      await begin();
    });

    test.each(operations)('%s', async (_name, prepare) => {
      const few = await costOf(prepare, small.scopeId);
      const many = await costOf(prepare, large.scopeId);
      expect(few.scannedRows).toBe(0);
      expect(many.scannedRows).toBe(0);
      expect(many.blocks).toBeLessThan(few.blocks * 1.5 + 10);
    });
  },
);

test('spec 60 §3.4.1: a page of a kind that no entry has reads at most twice as much', async () => {
  const few = await costOf(async (scopeId) => () => newestPage(scopeId, 'none'), small.scopeId);
  const many = await costOf(async (scopeId) => () => newestPage(scopeId, 'none'), large.scopeId);
  expect(many.scannedRows).toBe(0);
  expect(many.blocks).toBeLessThan(few.blocks * 2);
});

test('spec 20 S8: common words of a query never hide the entries of its rare word', async () => {
  const { hits } = await find(large.scopeId, 'needle ticket team');
  expect(hits).toHaveLength(10);
  const isNeedle = hits.map((hit) => hit.text.includes('needle'));
  expect(isNeedle).toEqual([true, true, true, ...Array.from({ length: 7 }, () => false)]);
});
