import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseScores, type ScoredHit } from '../../src/search/index.ts';

type Channel = 'fts' | 'vector';
type Hit = ScoredHit<Channel, string>;

const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const hit = (item: string, fts: number, vector: number): Hit => ({
  item,
  scores: { fts, vector },
  matchedBy: ['fts'],
});

const fts = { channel: 'fts', baseline: 0 } as const;

const fuse = (...hits: Hit[]) =>
  fuseScores<Channel, string>([fts, { channel: 'vector', baseline: 0 }], hits, byName);

/** A score that a change of scale does not round to 0. */
const withoutUnderflow = (score: number) => (Math.abs(score) < 1e-300 ? 0 : score);

const anyHits = fc
  .uniqueArray(
    fc.record({
      item: fc.string({ maxLength: 3 }),
      fts: fc.double({ min: 0, max: 50, noNaN: true }).map(withoutUnderflow),
      vector: fc.double({ min: -1, max: 1, noNaN: true }).map(withoutUnderflow),
    }),
    { selector: ({ item }) => item, maxLength: 40 },
  )
  .map((all) => all.map(({ item, fts, vector }) => hit(item, fts, vector)));

describe('fusion by convex combination (spec 20 S10)', () => {
  it('is half of each channel score, divided by the best one of its channel', () => {
    const fused = fuse(hit('words', 8, 0.3), hit('both', 6, 0.6), hit('meaning', 0, 0.45));
    expect(fused.map(({ item, score }) => [item, score.toFixed(12)])).toEqual([
      ['both', (0.5 * (6 / 8) + 0.5 * 1).toFixed(12)],
      ['words', (0.5 * 1 + 0.5 * (0.3 / 0.6)).toFixed(12)],
      ['meaning', (0.5 * (0.45 / 0.6)).toFixed(12)],
    ]);
  });

  it('counts a channel by its weight', () => {
    const channels = [fts, { channel: 'vector', baseline: 0, weight: 0.5 }] as const;
    const fused = fuseScores<Channel, string>(
      channels,
      [hit('words', 8, 0.3), hit('meaning', 0, 0.6)],
      byName,
    );
    expect(fused.map(({ item, score }) => [item, score])).toEqual([
      ['words', 0.5 * 1 + 0.5 * 0.5 * 0.5],
      ['meaning', 0.5 * 0.5],
    ]);
  });

  it('divides by the best score where there is one channel', () => {
    const hits = [hit('a', 2, 0), hit('b', 8, 0)];
    const fused = fuseScores<Channel, string>([fts], hits, byName);
    expect(fused.map(({ item, score }) => [item, score])).toEqual([
      ['b', 1],
      ['a', 0.25],
    ]);
  });

  it('counts a negative similarity as 0, and a channel without any score as 0 for all', () => {
    expect(fuse(hit('a', 3, -0.2)).map(({ score }) => score)).toEqual([0.5]);
    expect(fuse(hit('a', 0, 0)).map(({ score }) => score)).toEqual([0]);
    expect(fuse()).toEqual([]);
  });

  it('counts a cosine from the baseline, and one below it as 0 (spec 26 S10)', () => {
    const fused = fuseScores<Channel, string>(
      [fts, { channel: 'vector', baseline: 0.7 }],
      [hit('words', 8, 0.6), hit('both', 4, 0.8), hit('meaning', 0, 0.9)],
      byName,
    );
    expect(fused.map(({ item, score }) => [item, score.toFixed(12)])).toEqual([
      ['both', (0.5 * 0.5 + 0.5 * 0.5).toFixed(12)],
      ['meaning', '0.500000000000'],
      ['words', '0.500000000000'],
    ]);
    const none = fuseScores<Channel, string>(
      [{ channel: 'vector', baseline: 0.7 }],
      [hit('a', 0, 0.7)],
      byName,
    );
    expect(none.map(({ score }) => score)).toEqual([0]);
  });

  it('breaks ties by the order of the items, and keeps the channels that admitted an item', () => {
    const fused = fuse(hit('b', 1, 0.5), { ...hit('a', 1, 0.5), matchedBy: ['fts', 'vector'] });
    const channels = { fts: { score: 1, share: 1, best: 1 }, vector: { score: 0.5, share: 1, best: 0.5 } };
    expect(fused).toEqual([
      { item: 'a', score: 1, matchedBy: ['fts', 'vector'], channels },
      { item: 'b', score: 1, matchedBy: ['fts'], channels },
    ]);
  });

  it('keeps the score of each channel, with its part of the best one', () => {
    const fused = fuse(hit('a', 4, -0.5), hit('b', 1, 0.25));
    expect(fused.map(({ channels }) => channels)).toEqual([
      { fts: { score: 1, share: 0.25, best: 4 }, vector: { score: 0.25, share: 1, best: 0.25 } },
      { fts: { score: 4, share: 1, best: 4 }, vector: { score: -0.5, share: 0, best: 0.25 } },
    ]);
  });

  it('counts a score by its confidence, beside the best score of the channel', () => {
    const weak = { ...hit('one word', 8, 0.3), confidence: { fts: 0.5 } };
    const fused = fuse(weak, hit('meaning', 0, 0.6), { ...hit('both', 4, 0.45), confidence: { fts: 1 } });
    expect(fused.map(({ item, score }) => [item, score.toFixed(12)])).toEqual([
      ['both', (0.5 * 0.5 + 0.5 * 0.75).toFixed(12)],
      ['meaning', '0.500000000000'],
      ['one word', '0.500000000000'],
    ]);
    expect(fuse(weak)[0]?.channels.fts).toEqual({ score: 8, share: 0.5, best: 8 });
  });

  it('keeps every item once, from 0 to 1, in descending order, whatever the order of the hits', () => {
    fc.assert(
      fc.property(anyHits, (hits) => {
        const fused = fuse(...hits);
        expect(fused.map(({ item }) => item).toSorted()).toEqual(hits.map(({ item }) => item).toSorted());
        for (const [index, { score }] of fused.entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(score).toBeLessThanOrEqual(fused[index - 1]?.score ?? 1);
        }
        expect(fuse(...hits.toReversed())).toEqual(fused);
      }),
    );
  });

  it('does not depend on the scale of a channel', () => {
    fc.assert(
      fc.property(anyHits, fc.constantFrom(0.25, 0.5, 2, 4, 1024), (hits, factor) => {
        const scaled = hits.map(({ item, scores, matchedBy }) => ({
          item,
          scores: { ...scores, fts: scores.fts * factor },
          matchedBy,
        }));
        const scores = new Map(fuse(...scaled).map(({ item, score }) => [item, score]));
        for (const { item, score } of fuse(...hits)) expect(scores.get(item)).toBeCloseTo(score, 9);
      }),
    );
  });

  it('never ranks an item below another one that it beats in both channels', () => {
    fc.assert(
      fc.property(anyHits, (hits) => {
        const places = new Map(fuse(...hits).map(({ item }, place) => [item, place]));
        for (const one of hits)
          for (const other of hits) {
            const isBetter =
              one.scores.fts > other.scores.fts + 1e-6 && one.scores.vector > other.scores.vector + 1e-6;
            if (isBetter) expect(places.get(one.item)).toBeLessThan(places.get(other.item) ?? 0);
          }
      }),
    );
  });
});
