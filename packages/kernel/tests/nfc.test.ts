import { underLoad } from '@continuity/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toNfc, truncateMarkRuns } from '../src/text/nfc.ts';

/** Of many combining classes, zero among them; some decompose, some compose with one another or with a letter. */
const marks = [
  ...'\u0301\u0300\u0308\u0316\u0323\u0327\u0334\u0344\u0345\u0340\u0343\u031b\u0338\u20dd\u05b0\u05bc\u0651\u064b',
  ...'\u093c\u094d\u09be\u09c7\u0b56\u0cc6\u0cc2\u0cd5\u0dca\u0dcf\u0dd9\u0f71\u0f72\u0f73\u0f74\u0f81\u3099\u302e',
  '\u{11127}',
  '\u{1d165}',
];
const letters = ['a', 'é', 'ế', 'か', 'ক', 'क़', 'ෙ', '\u1100', '\u1161', 'ﬁ', '\u212b', ' ', '\ud800'];

const textOf = (maxRun: number) => {
  const run = fc.array(fc.constantFrom(...marks), { maxLength: maxRun }).map((some) => some.join(''));
  return fc
    .array(fc.tuple(fc.constantFrom(...letters), run), { maxLength: 6 })
    .map((parts) => parts.flat().join(''));
};

test('text is NFC, also with runs of marks that are put in order before', () => {
  fc.assert(
    fc.property(textOf(400), (text) => {
      expect(toNfc(text)).toBe(text.normalize('NFC'));
    }),
  );
});

test('text of characters below U+0300 is NFC already', () => {
  const characters = Array.from({ length: 0x300 }, (_, code) => String.fromCodePoint(code));
  const pairs = characters.flatMap((first) => characters.map((second) => first + second)).join('');
  expect(pairs.normalize('NFC')).toBe(pairs);
  expect(toNfc(pairs)).toBe(pairs);
});

test('spec 30 §4.5: every mark of Unicode is put in its place', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{M}/u.test(character));
  const text = `a${all.join('')}${all.toReversed().join('')}`;
  expect(toNfc(text)).toBe(text.normalize('NFC'));
});

test('normalized text stays the same when it is normalized again', () => {
  fc.assert(
    fc.property(textOf(400), (text) => {
      const once = toNfc(text);
      expect(toNfc(once)).toBe(once);
    }),
  );
});

test('truncated runs hold at most 256 units and no half of a character', () => {
  const long = '\u{11127}'.repeat(200);
  expect(truncateMarkRuns(`x${long}y`)).toBe(`x${'\u{11127}'.repeat(128)}y`);
  expect(truncateMarkRuns(`x\u0301${long}y`).isWellFormed()).toBe(true);
});

test.each([
  ['one letter with a million marks', `a${'\u0301\u0316'.repeat(500_000)}`],
  ['letters with 255 marks each', `a${'\u0301'.repeat(128)}${'\u0316'.repeat(127)}`.repeat(2_000)],
])('%s take no longer than other text', (_name, text) => {
  const begun = performance.now();
  toNfc(text);
  truncateMarkRuns(text).normalize('NFKC');
  // `normalize` alone takes minutes for the first one.
  expect(performance.now() - begun).toBeLessThan(underLoad(10_000));
});
