import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { searchLexically } from '../../../src/memory/search/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { rememberFacts } from '../../support/memory.ts';
import { closeScores, referenceSearch, scoresOf } from '../../support/reference-bm25.ts';

const { database, tenantId } = await openOwnDatabase('exact-scores');
const cache = new CorpusCache();
const scopeId = 'large';
const entries = 3_000;
/** Most of them are in more entries than a search scores for a rare word, and few pairs of them are in one entry. */
const words = Array.from(
  { length: 100 },
  (_, index) => `${'bdfgklmnpr'[index % 10]}o${'bdfgklmnpr'[Math.floor(index / 10)]}uk`,
);
const wordsEach = 12;
let state = 1;

/** The generator of Park and Miller: the same texts in each run. */
function next(below: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
}

const pickWords = (count: number) => Array.from({ length: count }, () => words[next(words.length)]).join(' ');

const texts = Array.from({ length: entries }, (_, index) => `${pickWords(wordsEach)} only${index}`);
texts[0] = `${texts[0]} ${words[1]}_${words[2]}`;
const reference = referenceSearch(texts);

beforeAll(() => rememberFacts(database, { tenantId, scopeId }, texts));

async function search(scope: string, text: string, limit = 10) {
  const query = new AnalyzedQuery(text);
  return (await searchLexically(database.sql, cache, { tenantId, scopeId: scope, query, limit })).hits;
}

test('spec 20 S7, S8: in a small Scope every admitted entry is found with its exact score', async () => {
  const word = fc.constantFrom(
    'alpha',
    'beta',
    'gamma',
    'delta',
    'Zahlungsfrist',
    'retryPolicy',
    'running',
    '数据库',
  );
  const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((some) => some.join(' '));
  let scopes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(sentence, { minLength: 1, maxLength: 30 }),
      fc.array(sentence, { minLength: 1, maxLength: 4 }),
      async (remembered, queries) => {
        scopes += 1;
        const scope = `small ${scopes}`;
        await rememberFacts(database, { tenantId, scopeId: scope }, remembered);
        const expected = referenceSearch(remembered);
        for (const query of queries)
          expect(scoresOf(await search(scope, query, 50)), query).toEqual(closeScores(expected(query)));
      },
    ),
    { numRuns: 25 },
  );
});

test.each([3, 4, 5, 6])(
  'spec 20 S8: in a large Scope %i words find the best entries with their exact scores',
  async (count) => {
    for (let run = 0; run < 10; run += 1) {
      const query = pickWords(count);
      const expected = reference(query).slice(0, 10);
      expect(scoresOf(await search(scopeId, query)), query).toEqual(closeScores(expected));
    }
  },
);

test('two common words find every entry with both, however old', async () => {
  const [one = '', other = ''] = words;
  const both = texts.filter((text) => text.split(' ').includes(one) && text.split(' ').includes(other));
  const hits = await search(scopeId, `${one} ${other}`, both.length);
  expect(hits.map(({ text }) => text).toSorted()).toEqual(both.toSorted());
});

test('an identifier is found, however old, when its parts are common words', async () => {
  const [hit] = await search(scopeId, `${words[1]}_${words[2]}`);
  expect(hit?.text).toContain(`${words[1]}_${words[2]}`);
});

test('one common word finds the newest entries', async () => {
  const hits = await search(scopeId, words[5] ?? '');
  expect(hits).toHaveLength(10);
  expect(Math.min(...hits.map(({ text }) => texts.indexOf(text)))).toBeGreaterThan(entries / 3);
});
