import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestSimilarity, hexOf, quantize } from '../../src/search/index.ts';

const unit = (values: readonly number[]) => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const cosine = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

/** Components of any size, a few of them far above the others, as models give them. */
const component = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
  { weight: 1, arbitrary: fc.double({ min: -20, max: 20, noNaN: true }) },
);

test('spec 26 S12: with 8 bits a component, a cosine is off by less than 0.005', () => {
  const pairs = fc.integer({ min: 2, max: 400 }).chain((dimension) => {
    const vector = fc
      .array(component, { minLength: dimension, maxLength: dimension })
      .filter((values) => Math.hypot(...values) > 0.01)
      .map(unit);
    return fc.tuple(vector, vector, vector);
  });
  fc.assert(
    fc.property(pairs, ([stored, one, other]) => {
      const quantized = quantize(stored);
      expect(Math.max(...quantized.map(Math.abs))).toBe(127);
      const encoded = Buffer.from(hexOf(quantized), 'hex').toString('base64');
      expect(Math.abs(bestSimilarity(encoded, [one]) - cosine(stored, one))).toBeLessThan(0.005);
      const best = Math.max(cosine(stored, one), cosine(stored, other));
      expect(Math.abs(bestSimilarity(encoded, [one, other]) - best)).toBeLessThan(0.005);
    }),
  );
});
