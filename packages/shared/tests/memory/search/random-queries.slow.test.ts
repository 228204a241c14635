import { expect, test } from 'vitest';
import { searchLexically } from '../../../src/memory/search/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { rememberFacts } from '../../support/memory.ts';
import { referenceSearch } from '../../support/reference-bm25.ts';

const { database, tenantId } = await openOwnDatabase('random-queries');

const vocabulary = 600;
let state = 11;

/** The generator of Park and Miller: the same texts in each run. */
function next(below: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
}

/** Words by Zipf's law, so that some are rare and some are in a third of all entries. */
const word = (): string => `w${Math.floor(vocabulary ** (next(10_000) / 10_000))}q`;
const words = (count: number): string => Array.from({ length: count }, word).join(' ');
const sentence = (): string => `S${words(1 + next(8))}.`;

test.each([
  { scopeId: 'few words', entries: 1_000, queries: 2_000, sentences: () => 1 + next(5) },
  // More terms than of which a search scores every text in a larger Scope.
  { scopeId: 'many words', entries: 110, queries: 200, sentences: () => 12 + next(40) },
])(
  'spec 25 scenario 4: hits and their order are those of an independent calculation, $scopeId',
  async ({ scopeId, entries, queries, sentences }) => {
    const texts = [
      ...new Set(
        Array.from(
          { length: entries },
          (_, index) => `${words(2 + next(14))}${index % 3 === 0 ? '' : ` n${index}`}`,
        ),
      ),
    ];
    const scope = { tenantId, scopeId };
    // In the order of the revisions: of equal scores the later one comes first.
    for (let start = 0; start < texts.length; start += 50)
      await rememberFacts(database, scope, texts.slice(start, start + 50));
    const revisionOf = new Map(texts.map((text, place) => [text, Math.floor(place / 50)]));
    const reference = referenceSearch(texts);
    const cache = new CorpusCache();
    for (let run = 0; run < queries; run += 1) {
      const query = Array.from({ length: sentences() }, sentence).join(next(2) === 0 ? ' ' : '\n');
      const asked = { ...scope, query: new AnalyzedQuery(query), limit: 20 };
      const { hits } = await searchLexically(database.sql, cache, asked);
      // Another statement searches a corpus of unknown size.
      expect((await searchLexically(database.sql, new CorpusCache(), asked)).hits, query).toEqual(hits);
      const expected = reference(query).slice(0, 20);
      expect(hits, query).toHaveLength(expected.length);
      const farthest = Math.max(
        0,
        ...hits.map(({ score }, place) => Math.abs(score - (expected[place]?.score ?? 0))),
      );
      expect(farthest, query).toBeLessThan(1e-8);
      for (const [place, hit] of hits.slice(1).entries()) {
        const before = hits[place];
        if (before === undefined || before.score !== hit.score) continue;
        const [earlier, later] = [revisionOf.get(hit.text) ?? 0, revisionOf.get(before.text) ?? 0];
        expect(
          later > earlier || (later === earlier && before.entry_id < hit.entry_id),
          `${query}: ${hit.text}`,
        ).toBe(true);
      }
    }
  },
  600_000,
);
