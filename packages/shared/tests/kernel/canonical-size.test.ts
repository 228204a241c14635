import { canonicalJson, canonicalJsonWithin, type JsonValue, utf8Length } from '@continuity/shared/kernel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkContentSize } from '../../src/sources/index.ts';

test('a value has canonical JSON within as many bytes as that has, and none within one less', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (given) => {
      const value = given as JsonValue;
      const text = canonicalJson(value);
      expect(canonicalJsonWithin(value, utf8Length(text))).toBe(text);
      expect(canonicalJsonWithin(value, utf8Length(text) - 1)).toBeUndefined();
    }),
  );
});

test('a value that is far too large is refused without being written as a whole', () => {
  let read = 0;
  const item = {
    get text() {
      read += 1;
      return 'x'.repeat(1_000);
    },
  };
  expect(() => checkContentSize(Array.from({ length: 10_000 }, () => item))).toThrow(/1048576 bytes/);
  expect(read).toBeLessThan(2_000);
});
