import { codePointLength, isBlank, trimWhite } from '@continuity/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareCodePoints,
  excerptOf,
  firstCodePoints,
  firstUtf16Units,
  normalizeText,
  toOneLine,
  utf8Length,
} from '../src/text/text.ts';

const whiteSpace = '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

describe('text normalization (spec 20 M9)', () => {
  it('removes every Unicode white space and U+FEFF at both ends, and nothing inside', () => {
    expect(trimWhite(`${whiteSpace}a\t\u0085b${whiteSpace}`)).toBe('a\t\u0085b');
  });

  it('keeps invisible characters that are no white space', () => {
    expect(trimWhite('\u200ba\u200b')).toBe('\u200ba\u200b');
  });

  it('composes before it trims', () => {
    expect(normalizeText(' e\u0301 ')).toBe('é');
    expect(utf8Length(normalizeText('e\u0301'.repeat(4096)))).toBe(8192);
  });

  it('calls text of white space only blank', () => {
    expect(isBlank(`\u3000\t${whiteSpace}`)).toBe(true);
    expect(isBlank('')).toBe(true);
    expect(isBlank(' \u200b ')).toBe(false);
  });

  it('gives the same when it is applied twice, and agrees with isBlank', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = normalizeText(text);
        expect(normalizeText(once)).toBe(once);
        expect(isBlank(text)).toBe(trimWhite(text) === '');
      }),
    );
  });

  it('trims long runs of spaces in linear time', () => {
    const text = `a${' '.repeat(1_000_000)}b`;
    expect(trimWhite(text)).toBe(text);
  });
});

describe('measures of text', () => {
  it('counts code points and UTF-8 bytes', () => {
    expect(codePointLength('a🧠é')).toBe(3);
    expect(utf8Length('a🧠é')).toBe(7);
    expect(utf8Length('🧠'.repeat(2048))).toBe(8192);
  });
});

describe('excerpts', () => {
  it('have at most so many code points, single spaces and no space at the start', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...whiteSpace, 'a', '\u{1F9E0}'), { maxLength: 600 }), (parts) => {
        const excerpt = excerptOf(parts.join(''), 240);
        expect([...excerpt].length).toBeLessThanOrEqual(240);
        expect(excerpt).toMatch(/^(?:[^\s\u0085]+(?: [^\s\u0085]+)*(?: ?…)?)?$/u);
      }),
    );
  });

  it('are the whole line up to the limit, and end in an ellipsis over it', () => {
    expect(excerptOf(' \u{1F9E0}\n\u0085b ', 3)).toBe('\u{1F9E0} b');
    expect(excerptOf('\u{1F9E0}bcd', 3)).toBe('\u{1F9E0}b…');
    expect(toOneLine(`${whiteSpace}a${whiteSpace}b`)).toBe('a b');
    expect(firstCodePoints('\u{1F9E0}\u{1F9E0}', 1)).toBe('\u{1F9E0}');
    expect([0, 1, 2, 3, 4].map((count) => firstUtf16Units('a\u{1F9E0}b', count))).toEqual([
      '',
      'a',
      'a',
      'a\u{1F9E0}',
      'a\u{1F9E0}b',
    ]);
  });
});

describe('order by code points (spec 10 §4)', () => {
  const sign = (a: string, b: string) => Math.sign(compareCodePoints(a, b));

  it('is that of the code points, not of UTF-16 units', () => {
    expect(['\u{1F9E0}', '\ufb03', 'a', 'B', ''].sort(compareCodePoints)).toEqual([
      '',
      'B',
      'a',
      '\ufb03',
      '\u{1F9E0}',
    ]);
    expect('\u{1F9E0}' < '\ufb03').toBe(true);
  });

  it('is total, and equal for equal text only', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(sign(a, b)).toBe(-sign(b, a) + 0);
        expect(sign(a, b) === 0).toBe(a === b);
        expect(sign(a, a + b)).toBe(b === '' ? 0 : -1);
      }),
    );
  });
});
