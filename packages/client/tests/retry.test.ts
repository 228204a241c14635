import { expect, test } from 'vitest';
import { ConnectionError, ServiceError } from '../src/errors.ts';
import { delayBeforeRetry } from '../src/retry.ts';

const cut = new ConnectionError('cut');

test('the delay is full jitter of a doubling limit, at most five seconds', () => {
  const limits = [1, 2, 3, 4, 5, 6, 7, 20].map((attempt) =>
    delayBeforeRetry(cut, attempt, { repeat: 'safe' }, () => 1),
  );
  expect(limits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(delayBeforeRetry(cut, 3, { repeat: 'keyed' }, () => 0)).toBe(0);
});

test.each([
  'generation_unavailable',
  'handoff_generation_unavailable',
  'external_skill_registry_unavailable',
] as const)('%s is final, because an operator has switched the work off', (code) => {
  const failure = new ServiceError(
    { error: { code, message: '', details: {} } },
    new Response(null, { status: 503, headers: { 'retry-after': '1' } }),
  );
  expect(delayBeforeRetry(failure, 1, { repeat: 'safe' })).toBeUndefined();
});

test('an unknown failure and an unsafe repeat are final', () => {
  expect(delayBeforeRetry(new Error('bug'), 1, { repeat: 'safe' })).toBeUndefined();
  expect(delayBeforeRetry(cut, 1, { repeat: 'unsafe' })).toBeUndefined();
});
