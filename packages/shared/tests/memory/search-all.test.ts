import { openDatabase } from '@continuity/shared/kernel';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  analyzeEntry,
  analyzeQuery,
  type Corpus,
  requiredTerms,
  termScore,
} from '../../src/lexical/index.ts';
import { KnownScopes } from '../../src/memory/known-scopes.ts';
import { searchLexically } from '../../src/memory/lexical-search.ts';
import { rememberFacts } from '../support/memory.ts';

const source = await createDatabase();
const database = openDatabase({ url: source.url, size: 1, name: 'search-all', onIdleError: () => undefined });
const scopeId = 'search-all';
const known = new KnownScopes();
/** Most words are in more entries than a search would score one by one, and hardly two of them are in one entry. */
const entries = 3_000;
const words = Array.from(
  { length: 100 },
  (_, index) => `${'bdfgklmnpr'[index % 10]}o${'bdfgklmnpr'[Math.floor(index / 10)]}uk`,
);
const wordsEach = 12;
const analyzed: { text: string; terms: ReadonlyMap<string, number>; length: number }[] = [];
const holders = new Map<string, number>();
const corpus = { entries: 0, totalLength: 0 };
let tenantId = 0;
let state = 1;

/** The generator of Park and Miller: the same texts in each run. */
function next(below: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
}

const pickWords = (count: number) => Array.from({ length: count }, () => words[next(words.length)]).join(' ');

beforeAll(async () => {
  tenantId = await ensureTenant(database, 'default');
  const texts = Array.from({ length: entries }, (_, index) => `${pickWords(wordsEach)} only${index}`);
  texts[0] = `${texts[0]} ${words[1]}_${words[2]}`;
  await rememberFacts(database, { tenantId, scopeId }, texts);
  for (const text of texts) {
    const { terms, length } = analyzeEntry(text);
    analyzed.push({ text, terms, length });
    corpus.entries += 1;
    corpus.totalLength += length;
    for (const key of terms.keys()) holders.set(key, (holders.get(key) ?? 0) + 1);
  }
});

afterAll(async () => {
  await database.close();
  await source.drop();
});

/** The scores of the best entries, when each entry is looked at. */
function scoreAll(query: string, limit: number): number[] {
  const terms = analyzeQuery(query);
  const scores = analyzed.flatMap((entry) => {
    const held = terms.flatMap((term) => scoreTerm(term, entry, corpus));
    return held.length >= requiredTerms(terms.length) ? [held.reduce((sum, score) => sum + score, 0)] : [];
  });
  return scores.toSorted((left, right) => right - left).slice(0, limit);
}

function scoreTerm(
  { keys, weights }: ReturnType<typeof analyzeQuery>[number],
  { terms, length }: (typeof analyzed)[number],
  statistics: Corpus,
): number[] {
  const scores = keys.flatMap((key, index) => {
    const frequency = terms.get(key);
    if (frequency === undefined) return [];
    const match = { frequency, length, holders: holders.get(key) ?? 0 };
    return (weights[index] ?? 1) * termScore(match, statistics);
  });
  return scores.length === 0 ? [] : [Math.max(...scores)];
}

test.each([3, 4, 5, 6])('a query of %i words finds the same as a look at every entry', async (count) => {
  for (let run = 0; run < 10; run += 1) {
    const query = pickWords(count);
    const { hits } = await searchLexically(database.sql, known, { tenantId, scopeId, query, limit: 10 });
    const scores = hits.map(({ score }) => score.toFixed(6));
    expect(scores, query).toEqual(scoreAll(query, 10).map((score) => score.toFixed(6)));
  }
});

test('two common words: what holds both is found, however old', async () => {
  const [one = '', other = ''] = words;
  const both = analyzed.filter(
    ({ text }) => text.split(' ').includes(one) && text.split(' ').includes(other),
  );
  const query = `${one} ${other}`;
  const { hits } = await searchLexically(database.sql, known, {
    tenantId,
    scopeId,
    query,
    limit: both.length,
  });
  expect(hits.map(({ text }) => text).toSorted()).toEqual(both.map(({ text }) => text).toSorted());
});

test('an identifier is found, however old, when its parts are common words', async () => {
  const query = `${words[1]}_${words[2]}`;
  const { hits } = await searchLexically(database.sql, known, { tenantId, scopeId, query, limit: 10 });
  expect(hits[0]?.text).toContain(query);
});

test('one common word finds the newest entries', async () => {
  const { hits } = await searchLexically(database.sql, known, {
    tenantId,
    scopeId,
    query: words[5] ?? '',
    limit: 10,
  });
  expect(hits).toHaveLength(10);
  const places = hits.map(({ text }) => analyzed.findIndex((entry) => entry.text === text));
  expect(Math.min(...places)).toBeGreaterThan(entries / 3);
});
