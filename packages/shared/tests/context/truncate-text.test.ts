import { jsonLine } from '@continuity/contract/untrusted-text';
import { utf8Length } from '@continuity/kernel/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitText, truncateText } from '../../src/context/truncate-text.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('a', '"', '\u0085', 'é', '記', '\u{1F9E0}', '\u2028'), maxLength: 900 }),
);
const insideBytes = (content: string) => utf8Length(jsonLine(content)) - 2;

/** Every truncated form of a text, the longest first. */
function formsOf(whole: string): string[] {
  const points = Array.from(whole);
  return points.map((_, dropped) => `${points.slice(0, points.length - 1 - dropped).join('')}…`);
}

test('spec 20 P7, P8: of the forms that fit the longest is taken, and none below 64 bytes', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: -10, max: 4_000 }), (whole, room) => {
      const fitting = formsOf(whole).find((form) => utf8Length(form) <= 2_000 && insideBytes(form) <= room);
      const isTruncated = utf8Length(whole) >= 64 && fitting !== undefined && utf8Length(fitting) >= 64;
      expect(truncateText(whole, room)).toEqual(
        isTruncated ? { content: fitting, truncated: true } : undefined,
      );
    }),
  );
});

test('spec 20 P6, P8: a text of at most 2000 bytes stays whole while there is room', () => {
  expect(limitText('é'.repeat(1_000))).toEqual({ content: 'é'.repeat(1_000), truncated: false });
  expect(limitText('é'.repeat(1_001))).toEqual({ content: `${'é'.repeat(998)}…`, truncated: true });
  const long = limitText('記'.repeat(1_700));
  expect({ ...long, bytes: utf8Length(long.content) }).toEqual({
    content: `${'記'.repeat(665)}…`,
    truncated: true,
    bytes: 1_998,
  });
  expect(limitText(`${'a'.repeat(1_996)}\u{1F9E0}b`).content).toBe(`${'a'.repeat(1_996)}…`);
});
