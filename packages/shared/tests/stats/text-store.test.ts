import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Text, TextStore } from '../../src/stats/text-store.ts';

function told(text: Text): string {
  const bytes = Buffer.alloc(text.length);
  text.store.copy(text, bytes, 0);
  return bytes.toString();
}

const kept = Buffer.from('before é after');

/** Something that is written, and what it is. */
interface Step {
  write(store: TextStore): void;
  text: string;
}

const number = (value: number | null): Step => ({
  write: (store) => store.number(value),
  text: JSON.stringify(value),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .string({ unit: 'grapheme', maxLength: 2_000 })
    .map((text) => ({ write: (store: TextStore) => store.text(text), text })),
  fc
    .string({ maxLength: 50 })
    .map((text) => ({ write: (store: TextStore) => store.bytes(Buffer.from(text)), text })),
  fc.maxSafeInteger().map(number),
  fc.integer({ min: -2_000, max: 2_000 }).map(number),
  fc.constant(number(null)),
  fc.constant({ write: (store: TextStore) => store.kept(kept, 7, 9), text: 'é' }),
);

test('texts are what was written to each, however the store grows, with bytes that are kept elsewhere among them', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step)), (parts) => {
      const store = new TextStore();
      const texts = parts.map((steps) => {
        for (const { write } of steps) write(store);
        return store.end();
      });
      expect(texts.map(told)).toEqual(parts.map((steps) => steps.map(({ text }) => text).join('')));
    }),
  );
});

test.each([0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, -1, -10, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53 - 1])(
  'the number %i is written as JSON has it',
  (value) => {
    const store = new TextStore();
    store.number(value);
    expect(told(store.end())).toBe(JSON.stringify(value));
  },
);
