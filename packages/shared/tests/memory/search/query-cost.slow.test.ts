import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseQuery, searchScope, VectorSupportCache } from '../../../src/memory/search/index.ts';
import { CorpusCache } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { fillMemory } from '../../support/large-memory.ts';
import { rememberFact } from '../../support/memory.ts';
import { keepVacuumAway, readsOf } from '../../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('query-cost');
const sizes = [100, 1_000, 10_000, 100_000];

/** A linear congruential generator (Numerical Recipes), so that a failure repeats. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const frames =
  'at Object TypeError node internal process task queues processTicksAndRejections runMicrotasks async Promise all Array map undefined reading amount toCents parseLines parse lines invoice server handler router layer next'.split(
    ' ',
  );
const keys =
  'id name type status created updated amount currency customer order items price quantity total address city'.split(
    ' ',
  );
const characters = Array.from({ length: 600 }, (_, index) => String.fromCodePoint(0x4e00 + 7 * index));
const chunk = (seed: number) => createHash('sha256').update(`${seed}`).digest('base64').replace('=', '');

/** Texts that recur: they are analyzed once. Each entry holds a word of its own besides. */
const distinctTexts = 5_000;

/** Entries hold some of all that the queries hold, so that each query has terms with many entries. */
function textAt(revision: number): string {
  const next = randomFrom(revision % distinctTexts);
  const pick = (list: readonly string[]) => list[next(list.length)] ?? '';
  const words = Array.from({ length: 5 }, () => `${pick(frames)} ${pick(keys)} ${pick(letters)}`);
  const run = Array.from({ length: 8 }, () => pick(characters)).join('');
  return `${words.join(' ')} ${run} ${chunk(next(500))} ${next(10_000)}.`;
}

const cut = (text: string) => text.slice(0, 8_192);
const next = randomFrom(7);
const of = (list: readonly string[]) => list[next(list.length)] ?? '';

const hostile: [string, string][] = [
  [
    'a stack trace of 200 lines',
    cut(
      Array.from(
        { length: 200 },
        (_, line) =>
          `    at ${of(frames)}.${of(frames)} (/srv/app/src/${of(frames)}/${of(keys)}.ts:${line}:7)`,
      ).join('\n'),
    ),
  ],
  [
    'minified JSON',
    cut(
      JSON.stringify(
        Array.from({ length: 200 }, () =>
          Object.fromEntries(keys.slice(0, 6).map((key) => [key, next(10_000)])),
        ),
      ),
    ),
  ],
  ['base64', cut(Array.from({ length: 250 }, (_, seed) => chunk(seed)).join(''))],
  ['8,192 Chinese characters', Array.from({ length: 8_192 }, () => of(characters)).join('')],
  ['4,096 one-letter words', cut(Array.from({ length: 4_096 }, () => of(letters)).join(' '))],
];

const deps = {
  database,
  embedder: () => null,
  vectorSupport: new VectorSupportCache(),
  corpusCache: new CorpusCache(),
  reranker: null,
};

const search = async (scopeId: string, query: string, corpusCache = deps.corpusCache) =>
  searchScope(
    { ...deps, corpusCache },
    { tenantId, scopeId, limit: 10 },
    await parseQuery(null, { query, mode: 'fts' }),
  );

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  for (const size of sizes) {
    const scopeId = `of ${size}`;
    await rememberFact(database, { tenantId, scopeId }, textAt(1));
    await fillMemory(database.pool, { tenantId, scopeId }, size, textAt);
  }
  await database.pool.query('ANALYZE');
}, 600_000);

/** Limit of blocks that a search reads, whatever the query and the number of entries. One block is 8 KiB, of a table or an index. */
const maxBlocks = 6_000;

describe.each(sizes)(
  'spec 25 scenario 6: the reads of a query of 8,192 characters are bounded, with %i entries',
  (size) => {
    test.each(hostile)('%s', async (what, query) => {
      expect(query.length).toBeGreaterThan(7_500);
      expect(query.length).toBeLessThanOrEqual(8_192);
      const scopeId = `of ${size}`;
      // The first run prepares the statement.
      const { hits } = await search(scopeId, query);
      // Few of few entries hold a pair of the Chinese characters.
      if (size >= 10_000 || !what.includes('Chinese')) expect(hits).toHaveLength(10);
      const { blocks, scannedRows } = await readsOf(database, 3, () => search(scopeId, query));
      expect(blocks).toBeLessThanOrEqual(maxBlocks);
      expect(scannedRows).toBeLessThan(1_000);
      // A process that has not searched the Scope yet tries the statement for few entries first.
      const cold = await readsOf(database, 3, () => search(scopeId, query, new CorpusCache()));
      expect(cold.blocks).toBeLessThanOrEqual(2 * maxBlocks);
      expect(cold.scannedRows).toBeLessThan(1_000);
    });
  },
);
