import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelFolder } from '../src/index.ts';
import { normalize, tokenize } from '../src/tokenizer/tokenize.ts';
import { Vocabulary } from '../src/tokenizer/vocabulary.ts';
import tokens from './reference/tokens.json' with { type: 'json' };

const vocabulary = new Vocabulary(readFileSync(join(modelFolder, 'pieces.bin')));

test.each(tokens)('a text is cut as SentencePiece does: $text', ({ text, ids }) => {
  expect(tokenize(vocabulary, text, 1_000)).toEqual(ids);
});

test('what looks alike is normalized alike', () => {
  const normalized = (text: string) => normalize(vocabulary, text);
  expect(normalized('  Ｃａｆｅ\u0301\t\u00a0ﬁne\u3000 ')).toBe('Café fine');
  expect(normalized('a\u0007\u0008b')).toBe('ab');
  expect(normalized('ﾊﾞｯｸ')).toBe('バック');
  expect(normalized('\u1112\u1161\u11ab')).toBe('한');
  expect(normalized('a▁b')).toBe('a b');
  expect(normalized('\ud800x\udc00')).toBe('x');
});

test('the first tokens of a long text are those of the text, in linear time', () => {
  const all = tokenize(vocabulary, 'one two three '.repeat(400), 10_000);
  expect(tokenize(vocabulary, 'one two three '.repeat(400), 510)).toEqual(all.slice(0, 510));
  for (const unit of ['x', '据', '😀', 'กำ', '\u0301', ' ', '\ufdfa'])
    expect(tokenize(vocabulary, unit.repeat(100_000), 510).length).toBeLessThanOrEqual(510);
});

test('any text has tokens of the vocabulary, and blanks around it change nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const ids = tokenize(vocabulary, text, 510);
      expect(ids.every((id) => id >= 3 && id < 250_001)).toBe(true);
      expect(tokenize(vocabulary, ` ${text}\n`, 510)).toEqual(ids);
    }),
    { numRuns: 100 },
  );
});
