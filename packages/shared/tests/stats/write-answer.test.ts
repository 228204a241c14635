import { expect, test } from 'vitest';
import { TextStore } from '../../src/stats/text-store.ts';
import { writeAnswer, writeFrame } from '../../src/stats/write-answer.ts';

/** An answer with so many bytes for each of 1,000 Scopes. */
function answerOf(bytesOfScope: number) {
  const out = new TextStore();
  out.text(`"a":"${'.'.repeat(bytesOfScope - 6)}"`);
  const text = out.end();
  const scopes = Array.from({ length: 1_000 }, (_, scopeKey) => ({ scopeId: String(scopeKey), scopeKey }));
  const frame = writeFrame({ mode: 'all' }, scopes);
  return writeAnswer(frame, new Date(0), [{ whole: text, of: () => text }]);
}

test('an answer of more than 64 MiB is 422, before a byte of it is made', () => {
  expect(answerOf(60_000).length).toBeGreaterThan(60_000_000);
  expect(() => answerOf(70_000)).toThrow(expect.objectContaining({ code: 'invalid_request', status: 422 }));
});
