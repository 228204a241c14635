import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Blocks } from '../../src/stats/blocks.ts';
import { type Text, TextStore } from '../../src/stats/text-store.ts';

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

/** All that one reader gets; it does `pause` after each piece. */
async function readAll(answer: Blocks, pause = () => Promise.resolve()): Promise<Buffer> {
  const opened = answer.open();
  if (Buffer.isBuffer(opened)) return opened;
  const pieces: Buffer[] = [];
  for await (const piece of opened as AsyncIterable<Buffer>) {
    pieces.push(piece);
    await pause();
  }
  return Buffer.concat(pieces);
}

test('its length is known before it is made, and a short one is a single piece', () => {
  const { answer, expected } = answerOf(3);
  expect(answer.length).toBe(expected.length);
  expect(answer.open()).toEqual(expected);
  expect(answer.open()).toBe(answer.open());
});

test('readers of one answer get the same bytes, each at its own pace, also when another has gone', async () => {
  const { answer, expected } = answerOf(5_000);
  expect(answer.length).toBe(expected.length);
  const slow = readAll(answer, () => nextTurn());
  const leaving = answer.open();
  if (Buffer.isBuffer(leaving)) throw new Error('This is no long answer.');
  leaving.once('data', () => leaving.destroy());
  const fast = [await readAll(answer), await readAll(answer)];
  expect(leaving.destroyed).toBe(true);
  for (const read of [...fast, await slow]) expect(read.equals(expected)).toBe(true);
});
