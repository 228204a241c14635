import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PieceBlock } from '../../src/stats/piece-block.ts';
import { type Text, TextStore } from '../../src/stats/text-store.ts';

function textsOf(texts: readonly string[]): Text[] {
  const out = new TextStore();
  return texts.map((text) => {
    out.text(text);
    return out.end();
  });
}

const texts = fc.array(
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed()),
  {
    minLength: 1,
    maxLength: 12,
  },
);

test('pieces in other places leave the others as they are, and the block before them, too', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.tuple(fc.nat(11), fc.string()), { maxLength: 12 }), (before, changes) => {
      const block = PieceBlock.of(textsOf(before));
      const told = [...before];
      const pieces = new Map<number, Text>();
      for (const [place, text] of changes) {
        if (place >= before.length) continue;
        told[place] = text;
        const [piece] = textsOf([text]);
        if (piece !== undefined) pieces.set(place, piece);
      }
      const after = block.with(pieces);
      expect(String(after.bytes)).toBe(told.join(''));
      expect(String(block.bytes)).toBe(before.join(''));
      expect(String(after.with(new Map()).bytes)).toBe(told.join(''));
    }),
  );
});
