import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inverseFrequency, termScore } from '../../src/lexical/index.ts';

const corpus = { entries: 100, totalLength: 1000 };

describe('BM25 (spec 20 S8)', () => {
  it('is the formula', () => {
    expect(inverseFrequency(100, 1)).toBeCloseTo(Math.log(1 + 99.5 / 1.5), 12);
    expect(termScore({ frequency: 1, length: 10, holders: 1 }, corpus)).toBeCloseTo(
      Math.log(1 + 99.5 / 1.5),
      12,
    );
    expect(termScore({ frequency: 2, length: 20, holders: 10 }, corpus)).toBeCloseTo(
      (Math.log(1 + 90.5 / 10.5) * 2 * 2.2) / (2 + 1.2 * (0.25 + 0.75 * 2)),
      12,
    );
  });

  it('puts a rare term before a common one, and the shorter of equal matches first', () => {
    const common = termScore({ frequency: 1, length: 10, holders: 90 }, corpus);
    const rare = termScore({ frequency: 1, length: 10, holders: 2 }, corpus);
    const short = termScore({ frequency: 1, length: 5, holders: 2 }, corpus);
    expect(rare).toBeGreaterThan(common);
    expect(short).toBeGreaterThan(rare);
    expect(common).toBeGreaterThan(0);
  });

  it('gains little from repetition: never as much as a second term of the same rarity', () => {
    const once = termScore({ frequency: 1, length: 10, holders: 5 }, corpus);
    const often = termScore({ frequency: 200, length: 10, holders: 5 }, corpus);
    expect(often).toBeGreaterThan(once);
    expect(often).toBeLessThan(once * 2.2);
  });

  it('is finite and not negative for every count, also in an empty Scope', () => {
    const count = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(count, count, count, fc.nat({ max: 255 }), (entries, holders, totalLength, frequency) => {
        const match = { frequency, length: 1, holders: Math.min(holders, entries) };
        const score = termScore(match, { entries, totalLength });
        expect(Number.isFinite(score)).toBe(true);
        expect(score).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
