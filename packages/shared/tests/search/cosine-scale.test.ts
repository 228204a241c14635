import { expect, test } from 'vitest';
import { baselineOf, cosineScaleOf } from '../../src/search/index.ts';

/** A unit vector of two dimensions whose cosine with (1, 0) is `cosine`. */
const at = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine));
const axis = at(1);

test('spec 26 S9: the baseline is the 95th percentile of the cosines of each query with each passage but its own', () => {
  const queries = Array.from({ length: 16 }, () => axis);
  // The cosine of each passage stands for 15 of 240 pairs.
  const passages = Array.from({ length: 16 }, (_, place) => at(place / 100));
  expect(baselineOf(queries, passages)).toBeCloseTo(0.15, 6);
  const oneNear = Array.from({ length: 16 }, (_, place) => at(place === 0 ? 0.9 : 0.1));
  const own = Array.from({ length: 16 }, (_, place) => (place < 12 ? axis : Float32Array.of(0, 1)));
  // 11 of 240 pairs are near: fewer than one in twenty.
  expect(baselineOf(own, oneNear)).toBeLessThan(1);
  expect(baselineOf(queries, queries)).toBe(0.95);
  expect(
    baselineOf(
      queries,
      passages.map(() => at(-1)),
    ),
  ).toBe(0);
});

test('spec 26 S9: a hit is at least an eighth of the way from the baseline to 1, and at least 0.3', () => {
  expect(cosineScaleOf(0).minSimilarity).toBe(0.3);
  expect(cosineScaleOf(0.2).minSimilarity).toBeCloseTo(0.3, 9);
  expect(cosineScaleOf(0.8).minSimilarity).toBeCloseTo(0.825, 9);
});
