import { newId } from '@continuity/kernel/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeShortId, encodeShortId } from '../../src/evidence/index.ts';
import { entryShortId, parseEntryShortId } from '../../src/memory/short-id.ts';

const id = fc.uuid({ version: 7 });
const number = fc.oneof(fc.integer({ min: 1, max: 1_100 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }));

test('spec 25 Q11: a short id stands for exactly its id and number, in 22 characters up to number 1023', () => {
  fc.assert(
    fc.property(id, number, (id, number) => {
      const shortId = encodeShortId({ id, number });
      expect(decodeShortId(shortId)).toEqual({ id, number });
      expect(shortId).toMatch(/^[A-Za-z0-9_-]{22,26}$/);
      if (number < 1_024) expect(shortId).toHaveLength(22);
    }),
  );
});

test('spec 25 Q11: an entry of another Memory has a short id of at most 40 characters, which names that Memory', () => {
  fc.assert(
    fc.property(id, id, number, (artifactId, entryId, version) => {
      const shortId = entryShortId(artifactId, entryId, version);
      expect(shortId.length).toBeLessThanOrEqual(40);
      const parsed = parseEntryShortId(shortId);
      expect(parsed).toMatchObject({ entryId, version });
      const { lowest = '', highest = '' } = parsed?.artifactIds ?? {};
      expect(lowest <= artifactId && artifactId <= highest).toBe(true);
      expect(lowest.slice(0, 19)).toBe(artifactId.slice(0, 19));
    }),
  );
});

test('spec 25 Q11: no other text stands for the same version', () => {
  fc.assert(
    fc.property(
      id,
      number,
      fc.nat(),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
      (id, number, at, other) => {
        const shortId = encodeShortId({ id, number });
        const place = at % shortId.length;
        for (const changed of [
          shortId.slice(0, place) + other + shortId.slice(place + 1),
          shortId.slice(0, place),
          `A${shortId}`,
          `${shortId}=`,
          shortId.toLowerCase(),
          shortId.toUpperCase(),
        ]) {
          if (changed !== shortId) expect(decodeShortId(changed)).not.toEqual({ id, number });
        }
      },
    ),
  );
});

test.each(['', 'A', 'A'.repeat(22), '_'.repeat(40), `${'A'.repeat(22)}.`, '..', 'm-1', '__proto__'])(
  'spec 25 Q11: %j stands for no entry',
  (text) => {
    expect(parseEntryShortId(text)).toBeUndefined();
  },
);

test('spec 25 Q11: a dot and a wrong half of a Memory stand for no entry', () => {
  const shortId = entryShortId('memory', newId(), 1);
  for (const rest of ['.', '.AAA', '.AAAAAAAAAAA', '.AAAAAAAAAA.A', '.AAAAAAAAA!'])
    expect(parseEntryShortId(shortId + rest)).toBeUndefined();
});
