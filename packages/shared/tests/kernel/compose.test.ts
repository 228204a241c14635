import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeText } from '../../src/kernel/compose.ts';

/** Of many combining classes, zero among them; some decompose, some compose with one another or with a letter. */
const marks = [
  ...'\u0301\u0300\u0308\u0316\u0323\u0327\u0334\u0344\u0345\u0340\u0343\u031b\u0338\u20dd\u05b0\u05bc\u0651\u064b',
  ...'\u093c\u094d\u09be\u09c7\u0b56\u0cc6\u0cc2\u0cd5\u0dca\u0dcf\u0dd9\u0f71\u0f72\u0f73\u0f74\u0f81\u3099\u302e',
  '\u{11127}',
  '\u{11131}',
  '\u{1d165}',
  '\u{1d16e}',
];
const letters = ['a', 'é', 'ế', 'か', 'ক', 'ෙ', '\u1100', '\u1161', 'ﬁ', '\u212b', ' ', '\ud800'];

test('composed text is its NFC', () => {
  const mark = fc.constantFrom(...marks);
  const run = fc.array(mark, { maxLength: 100 }).map((some) => some.join(''));
  const text = fc.array(fc.oneof(fc.constantFrom(...letters), run), { maxLength: 6 });
  fc.assert(
    fc.property(text, (parts) => {
      expect(composeText(parts.join(''))).toBe(parts.join('').normalize('NFC'));
    }),
    { numRuns: 3_000 },
  );
});

test('every mark has its place among the others', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{M}/u.test(character));
  for (const text of [all, all.toReversed()].map((some) => `a${some.join('')}`)) {
    expect(composeText(text)).toBe(text.normalize('NFC'));
  }
});

test('a million marks under one letter take no longer than a million others', () => {
  const begun = performance.now();
  composeText(`a${'\u0301\u0316'.repeat(500_000)}`);
  // One by one they would take minutes.
  expect(performance.now() - begun).toBeLessThan(10_000);
});
