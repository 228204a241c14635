import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseRanks, rankByScore } from '../../src/lexical/index.ts';

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const fuse = (fts: string[], vector: string[]) =>
  fuseRanks(
    [
      { name: 'fts', ranked: fts },
      { name: 'vector', ranked: vector },
    ],
    (item) => item,
    byName,
  );

describe('reciprocal rank fusion (spec 20 S10)', () => {
  it('scores the first of one channel 1/61, and the first of both 2/61', () => {
    expect(fuse(['a'], [])).toEqual([{ item: 'a', score: 1 / 61, matchedBy: ['fts'] }]);
    expect(fuse(['a'], ['a'])).toEqual([{ item: 'a', score: 2 / 61, matchedBy: ['fts', 'vector'] }]);
    expect(fuse([], ['a'])).toEqual([{ item: 'a', score: 1 / 61, matchedBy: ['vector'] }]);
    expect(fuse([], [])).toEqual([]);
  });

  it('puts what both channels found before what one found, and breaks ties', () => {
    expect(fuse(['x', 'b'], ['y', 'b']).map(({ item }) => item)).toEqual(['b', 'x', 'y']);
    expect(fuse(['y'], ['x']).map(({ item }) => item)).toEqual(['x', 'y']);
  });

  it('gives distinct ranks to equal scores, in tie order', () => {
    expect(rankByScore(['c', 'a', 'b'], (item) => (item === 'b' ? 2 : 1), byName)).toEqual(['b', 'a', 'c']);
  });

  it('keeps every item once, in (0, 2/61], descending', () => {
    const items = fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 40 });
    fc.assert(
      fc.property(items, items, (fts, vector) => {
        const hits = fuse(fts, vector);
        expect(new Set(hits.map(({ item }) => item))).toEqual(new Set([...fts, ...vector]));
        expect(hits).toHaveLength(new Set([...fts, ...vector]).size);
        hits.forEach(({ score }, index) => {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(2 / 61);
          expect(score).toBeLessThanOrEqual(hits[index - 1]?.score ?? 1);
        });
      }),
    );
  });
});
