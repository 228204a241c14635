import { describe, expect, test } from 'vitest';
import { addRevision } from '../../../src/memory/commit-revision.ts';
import { addEntry } from '../../../src/memory/entry-writes.ts';
import { ensureLockedMemory } from '../../../src/memory/head.ts';
import { searchLexically } from '../../../src/memory/search/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';

const { database, tenantId } = await openOwnDatabase('admission');
const cache = new CorpusCache();
const kinds = ['fact', 'decision', 'constraint', 'preference', 'working_note', 'rule', 'todo', 'note'];

async function rememberInKinds(scopeId: string, texts: readonly string[], count: number): Promise<void> {
  await database.transaction(async (sql) => {
    const memory = await ensureLockedMemory(sql, tenantId, scopeId);
    const contents = texts.flatMap((text) => kinds.slice(0, count).map((kind) => ({ kind, text })));
    await addRevision(
      sql,
      memory,
      contents.map((content) => addEntry(content, null)),
    );
  });
}

async function find(scopeId: string, text: string): Promise<Set<string>> {
  const query = { tenantId, scopeId, query: new AnalyzedQuery(text), limit: 50 };
  const { hits } = await searchLexically(database.sql, cache, query);
  return new Set(hits.map(({ text }) => text));
}

const other = 'Releases need two approvals.';
const fillers = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `Entry ${n}q about topic${n}x.`);
const unrelated = Array.from({ length: 60 }, (_, n) => `unrelated${n}y`).join(' ');

describe('spec 25 Q4: entries with the same words count once', () => {
  test.each(['when do releases happen', `${unrelated}. When do releases happen?`])('%#', async (query) => {
    const scopeId = `kinds ${query.length}`;
    await rememberInKinds(scopeId, ['Releases happen on Tuesdays.'], 8);
    await rememberInKinds(scopeId, [other], 1);
    expect(await find(scopeId, query)).toEqual(new Set(['Releases happen on Tuesdays.', other]));
  });

  test('a word of four different statements is common, in however many kinds', async () => {
    const texts = ['Monday', 'Tuesday', 'Wednesday'].map((day) => `A release on ${day} was late.`);
    await rememberInKinds('four', texts, 4);
    await rememberInKinds('four', fillers(20), 1);
    expect(await find('four', 'which release happened')).toEqual(new Set(texts));
    await rememberInKinds('four', [other], 1);
    expect(await find('four', 'which release happened')).toEqual(new Set());
  });

  test('a Scope of 64 entries is small, and one of 65 is not', async () => {
    await rememberInKinds('size', ['Releases happen on Tuesdays.'], 8);
    await rememberInKinds('size', [other, ...fillers(55)], 1);
    expect(await find('size', 'which releases are ready')).toContain(other);
    await rememberInKinds('size', ['One more.'], 1);
    expect(await find('size', 'which releases are ready')).toEqual(new Set());
  });
});
