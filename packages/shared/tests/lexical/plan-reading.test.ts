import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CountedKey, planReading, type Reading, readBy } from '../../src/lexical/plan-reading.ts';
import { shapeFor } from '../../src/lexical/search-planned.ts';

const total = 100_000;
const reading = { total, limit: 10, spares: true };

/** A term with one key. */
const word = (key: number, holders: number): CountedKey[] => [{ key, holders }];

/** Whether texts with both keys are read, at least the newest. */
function reads(asked: Reading, left: number, right: number): boolean {
  const { whole, deep } = planReading(asked);
  return [...whole, ...deep].some(
    ({ one, other }) =>
      (one.includes(left) && other.includes(right)) || (one.includes(right) && other.includes(left)),
  );
}

const holders = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: total }));

/** Two to eight terms of one to six keys each. */
const terms = fc
  .array(fc.array(holders, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 8 })
  .map((counts) => {
    let key = 0;
    return counts.map((ofTerm) =>
      ofTerm.map((count) => {
        key += 1;
        return { key, holders: count };
      }),
    );
  });

const pairsOf = <T>(items: readonly T[]): [T, T][] =>
  items.flatMap((left, place) => items.slice(place + 1).map((right): [T, T] => [left, right]));

test('without sparing, texts with any two terms are read', () => {
  fc.assert(
    fc.property(terms, (asked) => {
      const plan = { ...reading, terms: asked, spares: false };
      expect(planReading(plan).hasSpared).toBe(false);
      for (const [one, other] of pairsOf(asked)) {
        for (const left of one)
          for (const right of other) expect(reads(plan, left.key, right.key)).toBe(true);
      }
    }),
  );
});

test('with sparing, texts with any three terms are read', () => {
  fc.assert(
    fc.property(terms, (asked) => {
      const plan = { ...reading, terms: asked };
      for (const [place, one] of asked.entries()) {
        for (const [other, third] of pairsOf(asked.slice(place + 1))) {
          const keys = [one, other, third].map(([first]) => first?.key ?? 0);
          expect(pairsOf(keys).some(([left, right]) => reads(plan, left, right))).toBe(true);
        }
      }
    }),
  );
});

test('however common the words, there is a statement with room for what is planned, and it ends', () => {
  fc.assert(
    fc.property(terms, fc.boolean(), (asked, spares) => {
      const plan = planReading({ ...reading, terms: asked, spares });
      expect(() => shapeFor(plan)).not.toThrow();
      for (const { depth, most } of plan.deep) {
        expect(depth).toBeGreaterThan(0);
        expect(depth).toBeLessThanOrEqual(65_536);
        expect(most).toBeGreaterThan(0);
      }
      const texts = plan.deep.reduce((sum, { most }) => sum + most, 0);
      expect(texts).toBeLessThan(150 + plan.deep.length);
    }),
  );
});

describe('what is read', () => {
  test('of a pair that very many hold the newest, the deeper the fewer hold it', () => {
    const depthOf = (left: number, right: number) =>
      planReading({ ...reading, terms: [word(1, left), word(2, right)] }).deep[0]?.depth ?? null;
    expect(depthOf(100, 50_000)).toBeNull();
    expect(depthOf(20_000, 20_000)).toBeLessThan(depthOf(5_000, 8_000) ?? 0);
  });

  test('a pair with the commonest word is spared where a rarer one has enough, and only there', () => {
    const spared = { ...reading, terms: [word(1, 2_000), word(2, 3_000), word(3, 9_000)] };
    expect(planReading(spared)).toMatchObject({
      hasSpared: true,
      whole: [{ one: [1], other: [2] }],
      deep: [],
    });
    const needed = { ...reading, terms: [word(1, 200), word(2, 300), word(3, 9_000)] };
    expect(planReading(needed).hasSpared).toBe(false);
    expect(planReading({ ...spared, limit: 100 }).hasSpared).toBe(false);
  });

  test('a key that no text holds is not looked up', () => {
    const plan = planReading({ ...reading, terms: [word(1, 10), word(2, 0), word(3, 20)] });
    expect(plan).toMatchObject({ whole: [{ one: [1], other: [3] }], deep: [] });
  });
});

test('two plans are the same where they read the same, in whatever order', () => {
  const isHeld = (key: number) => key !== 3;
  const of = (...counts: number[]) =>
    readBy(planReading({ ...reading, terms: counts.map((count, key) => word(key, count)) }), isHeld);
  expect(of(10, 20, 30)).toBe(of(30, 20, 10));
  expect(of(10, 20, 30, 1)).toBe(of(10, 20, 30, 0));
  expect(of(10, 20, 30)).not.toBe(of(10, 20, 0));
  expect(of(20_000, 20_000)).not.toBe(of(200, 20_000));
});
