import { expect, test } from 'vitest';
import { ConnectionError } from '../src/errors.ts';
import { delayBeforeRetry } from '../src/retry.ts';

const cut = new ConnectionError('cut');

test('the delay is full jitter of a doubling limit, at most five seconds', () => {
  const limits = [1, 2, 3, 4, 5, 6, 7, 20].map((attempt) =>
    delayBeforeRetry(cut, attempt, { repeat: 'safe' }, () => 1),
  );
  expect(limits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(delayBeforeRetry(cut, 3, { repeat: 'keyed' }, () => 0)).toBe(0);
});

test('an unknown failure and an unsafe repeat are final', () => {
  expect(delayBeforeRetry(new Error('bug'), 1, { repeat: 'safe' })).toBeUndefined();
  expect(delayBeforeRetry(cut, 1, { repeat: 'unsafe' })).toBeUndefined();
});
