import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUnitVector } from '../../src/inference/unit-vector.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

test('spec 20 S9: any finite vector with a direction becomes one of length 1 in the same direction', () => {
  fc.assert(
    fc.property(fc.array(finite, { minLength: 1, maxLength: 20 }), (values) => {
      const unit = toUnitVector(values, values.length);
      if (values.every((value) => value === 0)) {
        expect(unit).toBeNull();
        return;
      }
      const length = Math.hypot(...(unit ?? []));
      expect(length).toBeCloseTo(1, 5);
      for (const [index, value] of values.entries())
        expect((unit?.[index] ?? 0) * value).toBeGreaterThanOrEqual(0);
    }),
    { examples: [[[0]], [[0, -0]]] },
  );
});

test.each([
  ['another dimension', [1, 2, 3]],
  ['no direction', [0, -0]],
  ['what is no number', [1, Number.NaN]],
  ['what has no end', [1, Number.POSITIVE_INFINITY]],
])('spec 20 S9: a vector with %s is a failed embedding', (_what, values) => {
  expect(toUnitVector(values, 2)).toBeNull();
});
