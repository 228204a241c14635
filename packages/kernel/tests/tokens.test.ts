import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens } from '../src/text/text.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  ['é', 1],
  ['記憶', 2],
  ['\u{1F9E0}', 1],
  ['\u007f\u0080', 2],
  ['a'.repeat(400), 100],
])('spec 20 P13: %j has %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test('spec 20 P13: the weights of all code points, by four, rounded up', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const weights = Array.from(text, (one) => ((one.codePointAt(0) ?? 0) < 0x80 ? 1 : 4));
      expect(estimateTokens(text)).toBe(Math.ceil(weights.reduce((sum, weight) => sum + weight, 0) / 4));
    }),
  );
});
