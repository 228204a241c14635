import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern, UnsupportedPatternError } from '../../../src/connectors/json-schema/patterns.ts';

/** Parts of patterns that ECMAScript and RE2 write, or mean, alike or not. */
const parts = [
  ...[
    'a',
    'b',
    '.',
    '\\s',
    '\\S',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\b',
    '\\B',
    '^',
    '$',
    '\\/',
    '\\.',
    '\\u00e9',
  ],
  ...[
    '\\u{1F600}',
    '\\uD83D\\uDE00',
    '\\x41',
    '\\cJ',
    '\\0',
    '\\t',
    '\\v',
    '\\f',
    '[ab]',
    '[^ab]',
    '[\\s\\d]',
    '[^\\s]',
    '[\\S]',
  ],
  ...[
    '[\\b]',
    '[[a]',
    '[^]',
    '[]',
    '[\\w-]',
    '[^\\S]',
    '\\p{L}',
    '\\P{Lu}',
    '\\p{Script=Cyrillic}',
    '[\\p{Lu}.]',
  ],
];
const text = [
  'a',
  'b',
  '.',
  ' ',
  '1',
  '-',
  '[',
  '\n',
  '\r',
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\u0085',
  'é',
  '😀',
  'A',
  '\b',
];
const more = [...text, '\0', '\t', '/', 'Ж', '\ud83d', '_', ':'];

const pattern = fc
  .array(fc.tuple(fc.constantFrom(...parts), fc.constantFrom('', '', '*', '+', '?', '{1,2}', '|')), {
    maxLength: 6,
  })
  .map((all) => `(?:${all.map(([part, suffix]) => part + suffix).join('')})`);

test('a pattern says of a text what ECMAScript says', () => {
  fc.assert(
    fc.property(pattern, fc.array(fc.constantFrom(...more), { maxLength: 6 }), (source, characters) => {
      fc.pre(isValid(source));
      const value = characters.join('').toWellFormed();
      expect(compilePattern(source).test(value)).toBe(new RegExp(source, 'u').test(value));
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['look-ahead', 'a(?=b)'],
  ['negative look-ahead', 'a(?!b)'],
  ['look-behind', '(?<=a)b'],
  ['a back-reference', '(a)\\1'],
  ['a named back-reference', '(?<x>a)\\k<x>'],
  ['a repetition over 1000', 'a{1001}'],
  ['repetitions that multiply', '((a{100}){100}){100}'],
  ['what is no pattern', '('],
  ['a syntax of RE2 alone', '(?P<x>a)\\A'],
])('%s is refused', (_name, source) => {
  expect(() => compilePattern(source)).toThrow(UnsupportedPatternError);
});

test('named groups, and nested repetition, are run', () => {
  expect(compilePattern('^(?<year>\\d{4})-\\d\\d$').test('2026-11')).toBe(true);
  expect(compilePattern('^(a+)+$').test(`${'a'.repeat(50_000)}!`)).toBe(false);
});

function isValid(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
