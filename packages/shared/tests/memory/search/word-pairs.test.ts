import { expect, test } from 'vitest';
import { searchLexically } from '../../../src/memory/search/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { rememberFacts } from '../../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('word-pairs');
const cache = new CorpusCache();
const entries = 3_000;

/** Fills a large Scope: each entry has the words whose condition holds of its number. */
async function fill(scopeId: string, words: Record<string, (n: number) => boolean>): Promise<void> {
  const texts = Array.from({ length: entries }, (_, n) => {
    const held = Object.entries(words).flatMap(([word, holds]) => (holds(n) ? [word] : []));
    return `entry${n} ${held.join(' ')}`;
  });
  await rememberFacts(database, { tenantId, scopeId }, texts);
}

const find = async (scopeId: string, text: string) => {
  const query = new AnalyzedQuery(text);
  const { hits } = await searchLexically(database.sql, cache, { tenantId, scopeId, query, limit: 10 });
  return hits.map(({ text }) => text);
};

test('two words that never co-occur hide no entry with the commonest word and one of them', async () => {
  // By chance, zebra and yak would be in 40 entries together.
  await fill('apart', {
    zebra: (n) => n % 10 === 1,
    yak: (n) => n % 10 === 2 || n % 30 === 3,
    walrus: (n) => n % 2 === 1,
  });
  const texts = await find('apart', 'zebra yak walrus');
  expect(texts).toHaveLength(10);
  for (const text of texts) expect(text).toMatch(/zebra walrus|yak walrus/);
});

test('spec 20 S8: three words come before two, though the rarest word is none of them', async () => {
  await fill('three', {
    // As long as they are, two rare words weigh less in them than three others in the short one.
    [`zebra${' and so on'.repeat(20)}`]: (n) => n % 10 === 0,
    yak: (n) => n % 10 === 0 || n === 1_501,
    xerus: (n) => n % 3 === 1 && n % 10 !== 0,
    walrus: (n) => n % 2 === 1,
  });
  const [first] = await find('three', 'zebra yak xerus walrus');
  expect(first).toBe('entry1501 yak xerus walrus');
});
