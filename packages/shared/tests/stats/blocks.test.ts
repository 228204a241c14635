import { expect, test } from 'vitest';
import { Blocks } from '../../src/stats/blocks.ts';
import { type Text, TextStore } from '../../src/stats/text-store.ts';
import { bytesOf } from '../support/long-body.ts';

/** An answer of so many texts of a kilobyte, and what it is. */
function answerOf(count: number): { answer: Blocks; expected: Buffer } {
  const store = new TextStore();
  const texts: Text[] = [];
  let expected = '';
  for (let place = 0; place < count; place += 1) {
    const text = `${place} é`.padEnd(1_000, '.');
    store.text(text);
    texts.push(store.end());
    expected += text;
  }
  return { answer: new Blocks(texts), expected: Buffer.from(expected) };
}

test.each([0, 1, 3, 261, 262, 263, 5_000])(
  'the length of %i texts is known before they are made, and their blocks are the texts in their order',
  (count) => {
    const { answer, expected } = answerOf(count);
    expect(answer.length).toBe(expected.length);
    expect(bytesOf(answer).equals(expected)).toBe(true);
  },
);

test('a short answer is a single block', () => {
  expect(answerOf(3).answer.lengths).toHaveLength(1);
});
