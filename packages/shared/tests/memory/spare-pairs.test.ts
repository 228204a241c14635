import { expect, test } from 'vitest';
import { KnownScopes } from '../../src/memory/known-scopes.ts';
import { searchLexically } from '../../src/memory/lexical-search.ts';
import { openOwnDatabase } from '../support/database.ts';
import { rememberFacts } from '../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('spare-pairs');
const known = new KnownScopes();
const entries = 3_000;

/** Fills a large Scope: each entry has the words whose condition holds of its number. */
async function fill(scopeId: string, words: Record<string, (n: number) => boolean>): Promise<void> {
  const texts = Array.from({ length: entries }, (_, n) => {
    const held = Object.entries(words).flatMap(([word, holds]) => (holds(n) ? [word] : []));
    return `entry${n} ${held.join(' ')}`;
  });
  await rememberFacts(database, { tenantId, scopeId }, texts);
}

const find = async (scopeId: string, query: string) => {
  const { hits } = await searchLexically(database.sql, known, { tenantId, scopeId, query, limit: 10 });
  return hits.map(({ text }) => text);
};

test('words that should be together but never are hide no entry that has the commonest with one of them', async () => {
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
