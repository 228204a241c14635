import { beforeAll, describe, expect, test } from 'vitest';
import { addRevision } from '../../../src/memory/commit-revision.ts';
import { findAffected } from '../../../src/memory/find-affected.ts';
import { ensureLockedMemory } from '../../../src/memory/head.ts';
import type { CurrentEntry } from '../../../src/memory/revision-rows.ts';
import { searchLexically } from '../../../src/memory/search/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../../src/search/index.ts';
import { statementsOf } from '../../support/count-statements.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { fillMemory } from '../../support/large-memory.ts';
import { rememberFact, rememberFacts } from '../../support/memory.ts';
import { keepVacuumAway, readsOf } from '../../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('lexical-search');

beforeAll(async () => {
  await keepVacuumAway(database.pool);
});

const rememberText = (scopeId: string, text: string) => rememberFact(database, { tenantId, scopeId }, text);

const search = (cache: CorpusCache, scopeId: string, query: string) =>
  searchLexically(database.sql, cache, { tenantId, scopeId, query: new AnalyzedQuery(query), limit: 10 });

const textsOf = async (scopeId: string, query: string) =>
  (await search(new CorpusCache(), scopeId, query)).hits.map(({ text }) => text);

const setLanguages = (languages: number) =>
  database.pool.query('UPDATE memory_totals SET languages = $1', [languages]);

/** How many statements a search sends, which must find `expected`. */
const statementsToFind = (expected: unknown, cache: CorpusCache, scopeId: string, query: string) =>
  statementsOf(database, async () => expect(await search(cache, scopeId, query)).toEqual(expected));

const manyWords = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

describe.each([10, 100, 300, 1_600])('a Scope of %i entries', (entries) => {
  const scopeId = `of ${entries}`;
  beforeAll(async () => {
    await rememberText(scopeId, 'the first entry');
    await fillMemory(database.pool, { tenantId, scopeId }, entries);
  });

  test.each([
    ['few', 'needle ticket team'],
    ['many', `needle ticket team ${manyWords}`],
  ])(
    'gives the same answer to %s words with a stale cache, which the search corrects',
    async (_count, query) => {
      const expected = await search(new CorpusCache(), scopeId, query);
      expect(expected.hits[0]?.text).toContain('needle');
      for (const total of [10, 100, 300, 1_600]) {
        const stale = new CorpusCache();
        stale.set({ tenantId, scopeId }, { total, languages: -1 });
        expect(await statementsToFind(expected, stale, scopeId, query)).toBeLessThanOrEqual(
          total === entries ? 1 : 2,
        );
        expect(await statementsToFind(expected, stale, scopeId, query)).toBe(1);
      }
    },
  );
});

test('a rare word is found with a frequent one in a large Scope', async () => {
  const scopeId = 'spared';
  const cache = new CorpusCache();
  // By chance, each two of alpha, bravo and charlie would be in eight entries together.
  const others = ['alpha', 'bravo', 'charlie'];
  await rememberNumbered(scopeId, 1_080, (n) => `entry${n} ${others[n % 10] ?? ''}`);
  const query = 'alpha bravo charlie delta';
  expect((await search(cache, scopeId, query)).hits).toEqual([]);
  await rememberNumbered(scopeId, 290, (n) => `later${n} delta ${n < 20 ? 'alpha' : ''}`);
  const expected = await search(new CorpusCache(), scopeId, query);
  expect(expected.hits).toHaveLength(10);
  expect((await search(cache, scopeId, query)).hits).toEqual(expected.hits);
});

test('spec 20 S8: two words that always come together hide no older entry with both and a rare one', async () => {
  const scopeId = 'together';
  // By chance, new and york would be in 200 entries together; they are in 1,100.
  await rememberNumbered(
    scopeId,
    6_000,
    (n) => `entry${n} ${n < 1_100 ? 'new york' : ''} ${n < 3 ? 'needle' : ''}`,
  );
  const cache = new CorpusCache();
  for (let run = 0; run < 2; run += 1) {
    const { hits } = await search(cache, scopeId, 'needle new york');
    expect(hits.filter(({ text }) => text.includes('needle'))).toHaveLength(3);
    expect(hits[0]?.text).toContain('needle');
  }
});

/** Remembers a text for each number from 0 on. */
const rememberNumbered = (scopeId: string, count: number, textOf: (n: number) => string) =>
  rememberFacts(
    database,
    { tenantId, scopeId },
    Array.from({ length: count }, (_, n) => textOf(n)),
  );

/** Adds entries in one revision, and retires them in the next. */
async function enterAndRetire(scopeId: string, texts: string[]): Promise<void> {
  await rememberFacts(database, { tenantId, scopeId }, texts);
  await database.transaction(async (sql) => {
    const contents = texts.map((text) => ({ kind: 'fact', text }));
    const memory = await ensureLockedMemory(sql, tenantId, scopeId);
    const entries = await findAffected(sql, memory, { contents, entryIds: [] });
    const retire = (before: CurrentEntry) => ({ ...before, active: false });
    await addRevision(
      sql,
      memory,
      entries.map((before) => ({ op: 'deactivate', before, after: retire(before), reason: null })),
    );
  });
}

test('spec 20 S7, S8: words of most entries find them, however many came and went since', async () => {
  const scopeId = 'churned';
  await rememberText(scopeId, 'the first entry');
  const texts = Array.from({ length: 1_200 }, (_, index) => `Every ticket of team ${index} has a runbook.`);
  await rememberFacts(database, { tenantId, scopeId }, texts);
  const queries = ['ticket', 'ticket runbook', 'ticket runbook team'];
  const found = async () => {
    const hits = queries.map(async (query) => (await search(new CorpusCache(), scopeId, query)).hits.length);
    return await Promise.all(hits);
  };
  expect(await found()).toEqual([10, 10, 10]);
  for (let round = 0; round < 3; round += 1) {
    const passing = Array.from({ length: 2_048 }, (_, index) => `gone ${round} ${index}`);
    await enterAndRetire(scopeId, passing);
    expect(await found(), `after round ${round}`).toEqual([10, 10, 10]);
  }
});

test('a word is found in its other forms as soon as the Scope has an entry in its language', async () => {
  const german = 'Die Kunden wurden nach der Prüfung informiert.';
  await rememberText('languages', 'The customers were told after the check.');
  expect(await textsOf('languages', 'Kunde')).toEqual([]);
  await rememberText('languages', german);
  expect(await textsOf('languages', 'Kunde')).toEqual([german]);
  await rememberText('languages', 'Les clients ont été informés de la décision.');
  expect(await textsOf('languages', 'Kunde')).toEqual([german]);
});

test('an entry in a language that is new to the Scope is found, also with a stale cache', async () => {
  const scopeId = 'new language';
  const cache = new CorpusCache();
  const german = 'Die Kunden wurden nach der Prüfung informiert.';
  await rememberText(scopeId, 'The customers were told after the check.');
  expect((await search(cache, scopeId, 'Kunde')).hits).toEqual([]);
  await rememberText(scopeId, german);
  for (const statements of [2, 1]) {
    const ask = async () => {
      const { hits } = await search(cache, scopeId, 'Kunde');
      expect(hits.map(({ text }) => text)).toEqual([german]);
    };
    expect(await statementsOf(database, ask)).toBe(statements);
  }
});

test('a Scope whose languages are unknown is searched in all of them', async () => {
  const german = 'Die Rechnungen gehen an den Kunden.';
  await rememberText('before', german);
  await setLanguages(-1);
  expect(await textsOf('before', 'Rechnung')).toEqual([german]);
});

test('forms in languages that the Scope does not have cost no reads', async () => {
  await rememberText('english', 'The customers were told after the check.');
  const readsFor = async (languages: number) => {
    await setLanguages(languages);
    const ask = () => textsOf('english', 'kubernetes rollout failed');
    for (let run = 0; run < 8; run += 1) await ask();
    return (await readsOf(database, 1, ask)).blocks;
  };
  expect(await readsFor(-1)).toBe(await readsFor(0));
});
