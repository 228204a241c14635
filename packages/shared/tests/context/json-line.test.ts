import { jsonLine } from '@continuity/contract/untrusted-text';
import { utf8Length } from '@continuity/kernel/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapedBytes, utf8Bytes } from '../../src/context/json-length.ts';

const codePoints = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
  (codePoint) => codePoint < 0xd800 || codePoint > 0xdfff,
);
const inside = (codePoint: number) => jsonLine(String.fromCodePoint(codePoint)).slice(1, -1);

test('spec 20 P10: exactly the dangerous code points are escaped, in lower-case hex', () => {
  const escaped = codePoints.filter((codePoint) => inside(codePoint) !== String.fromCodePoint(codePoint));
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
  expect(escaped).toEqual([
    ...range(0, 0x1f),
    0x22,
    0x5c,
    ...range(0x7f, 0x9f),
    ...range(0x2028, 0x202e),
    ...range(0x2066, 0x2069),
  ]);
  expect(inside(0x85)).toBe('\\u0085');
  expect(inside(0x1f)).toBe('\\u001f');
  expect(inside(0x202e)).toBe('\\u202e');
  expect(['\b', '\t', '\n', '\f', '\r'].map((short) => jsonLine(short))).toEqual([
    '"\\b"',
    '"\\t"',
    '"\\n"',
    '"\\f"',
    '"\\r"',
  ]);
});

test('bytes are those of every code point', () => {
  const wrong = codePoints.filter(
    (codePoint) =>
      escapedBytes(codePoint) !== utf8Length(inside(codePoint)) ||
      utf8Bytes(codePoint) !== utf8Length(String.fromCodePoint(codePoint)),
  );
  expect(wrong).toEqual([]);
});

test('what is escaped parses back', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      const value = JSON.parse(json) as unknown;
      expect(JSON.parse(jsonLine(value))).toEqual(value);
    }),
  );
});
