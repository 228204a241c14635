import type { ArtifactKey } from '@continuity/kernel/database';
import { newId, timeOfId } from '@continuity/kernel/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addNeighborScores } from '../../../src/memory/search/neighbors.ts';

const now = Date.UTC(2026, 10, 27);

/** A UUIDv7 of this time. */
function idAt(ms: number, nth: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${nth.toString(16).padStart(12, '0')}`;
}

interface Given {
  score: number;
  place: number | null;
  /** Minutes after the first one. */
  at?: number;
  memory?: number;
}

function scoresOf(given: Given[]): number[] {
  const candidates = given.map(({ score, place, at = 0, memory = 1 }, nth) => ({
    score,
    item: { artifact_key: memory as ArtifactKey, entry_id: idAt(now + at * 60_000, nth), place },
  }));
  return addNeighborScores(candidates).candidates.map(({ score }) => score);
}

/** The definition, candidate by candidate. */
function expectedScores(given: Given[]): number[] {
  const ascending = given.map(({ score }) => score).toSorted((a, b) => a - b);
  const at = (index: number) => ascending[index] ?? 0;
  const { length } = ascending;
  const median = length % 2 === 1 ? at((length - 1) / 2) : (at(length / 2 - 1) + at(length / 2)) / 2;
  const sums = given.map((one) => {
    const near = given.filter(
      (other) =>
        other !== one &&
        (other.memory ?? 1) === (one.memory ?? 1) &&
        other.place !== null &&
        one.place !== null &&
        Math.abs(other.place - one.place) <= 2 &&
        Math.abs((other.at ?? 0) - (one.at ?? 0)) <= 10,
    );
    return one.score + 0.4 * Math.max(0, Math.max(0, ...near.map(({ score }) => score)) - median);
  });
  const largest = Math.max(0, ...sums);
  return sums.map((sum) => (largest === 0 ? 0 : sum / largest));
}

test('an id tells when it was made', () => {
  const before = Date.now();
  const made = timeOfId(newId());
  expect(made).toBeGreaterThanOrEqual(before - 1_000);
  expect(made).toBeLessThanOrEqual(Date.now() + 1_000);
  expect(timeOfId(idAt(now, 3))).toBe(now);
});

test('spec 26 S15: a candidate gains 0.4 of what its best neighbor is above the median, and the best score is 1', () => {
  const scores = scoresOf([
    { score: 1, place: 10 },
    { score: 0.3, place: 11 },
    { score: 0.2, place: 12 },
    { score: 0.3, place: 13 },
    { score: 0.2, place: 40 },
  ]);
  // The median is 0.3; the one beside the last two gains nothing from itself.
  const sums = [1, 0.3 + 0.4 * 0.7, 0.2 + 0.4 * 0.7, 0.3, 0.2];
  for (const [index, sum] of sums.entries()) expect(scores[index]).toBeCloseTo(sum, 12);
});

test('spec 26 S15: entries without a place, of another Memory, or eleven minutes apart are no neighbors', () => {
  const best = { score: 1, place: 5 };
  const others: Given[] = [
    { score: 0.1, place: null },
    { score: 0.1, place: 6, memory: 2 },
    { score: 0.1, place: 6, at: 11 },
    { score: 0.1, place: 8 },
  ];
  for (const score of scoresOf([best, ...others]).slice(1)) expect(score).toBeCloseTo(0.1, 12);
  expect(scoresOf([best, { score: 0.1, place: 6, at: 10 }])[1]).toBeGreaterThan(0.1);
  expect(scoresOf([])).toEqual([]);
  expect(scoresOf([{ score: 0, place: 1 }])).toEqual([0]);
});

test('spec 26 S15: any candidates have the scores of the definition', () => {
  const candidates = fc.uniqueArray(
    fc.record({
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      place: fc.option(fc.integer({ min: 1, max: 30 })),
      at: fc.integer({ min: 0, max: 25 }),
      memory: fc.integer({ min: 1, max: 2 }),
    }),
    {
      // Places are given once in each Memory.
      comparator: (one, other) =>
        one.place !== null && one.memory === other.memory && one.place === other.place,
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(candidates, (given) => {
      const expected = expectedScores(given);
      for (const [index, score] of scoresOf(given).entries())
        expect(score).toBeCloseTo(expected[index] ?? 0, 9);
    }),
  );
});
