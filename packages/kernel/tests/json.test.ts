import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, digestHex, hashHex } from '../src/json/canonical-json.ts';
import { joinPath } from '../src/json/json.ts';
import { findJsonIssues } from '../src/json/json-issues.ts';

const nested = (levels: number): unknown => (levels === 1 ? [] : [nested(levels - 1)]);

describe('spec 00 §2: what no stored value may hold', () => {
  test('64 levels pass, the 65th is named', () => {
    expect(findJsonIssues(nested(64))).toEqual([]);
    expect(findJsonIssues(nested(65))).toEqual([
      { path: '[0]'.repeat(64), message: 'is nested deeper than 64 levels' },
    ]);
  });

  test('every NUL, lone surrogate and infinite number is found, with its path', () => {
    const body = { a: ['ok', 'nul\0'], b: { c: '\ud800' }, d: Number.POSITIVE_INFINITY, 'e\0': 1 };
    expect(
      findJsonIssues(body)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['', 'a[1]', 'b.c', 'd']);
  });

  test('a hundred thousand levels exhaust no stack', () => {
    const body = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(findJsonIssues(body)).toHaveLength(1);
  });

  test('no more is found than an answer lists', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => [`${index}\0`, 1]);
    expect(findJsonIssues(Object.fromEntries(names))).toHaveLength(32);
  });

  test('ordinary values pass', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => findJsonIssues(value).length === 0));
  });
});

test('the path of an issue repeats no long field name, and cuts none within a character', () => {
  const pathOf = (...keys: PropertyKey[]) => keys.reduce<string>(joinPath, '');
  expect(pathOf('a', 'k'.repeat(128), 0, 'b')).toBe(`a.${'k'.repeat(128)}[0].b`);
  expect(pathOf('a', 'k'.repeat(129), 0, 'b')).toBe(`a.${'k'.repeat(128)}…[0].b`);
  expect(pathOf(`${'k'.repeat(127)}\u{1f9e0}`)).toBe(`${'k'.repeat(127)}\ufffd…`);
});

describe('RFC 8785', () => {
  test('the example of its section 3.2.3 sorts by UTF-16 code units', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    );
  });

  test('numbers are spelled as ECMAScript does', () => {
    expect(canonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, -0])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,0]',
    );
  });

  test('equal values have one digest, whatever the order of their keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(digestHex(reversed as never)).toBe(digestHex(object as never));
        expect(digestHex(object as never)).toBe(hashHex(canonicalJson(object as never)));
      }),
    );
  });

  test('a key named __proto__ is data', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
  });
});
