import type { ErrorCode } from '@continuity/contract';
import { expect, test } from 'vitest';
import { ConnectionError, ServiceError } from '../src/errors.ts';
import { delayBeforeRetry, sleep } from '../src/retry.ts';

const refusedFor = (retryAfter: string, code: ErrorCode = 'rate_limited') =>
  new ServiceError(
    { error: { code, message: '', details: {} } },
    new Response(null, { status: 503, headers: { 'retry-after': retryAfter } }),
  );

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
  expect(delayBeforeRetry(refusedFor('1', code), 1, { repeat: 'safe' })).toBeUndefined();
});

test('an unknown failure and an unsafe repeat are final', () => {
  expect(delayBeforeRetry(new Error('bug'), 1, { repeat: 'safe' })).toBeUndefined();
  expect(delayBeforeRetry(cut, 1, { repeat: 'unsafe' })).toBeUndefined();
});

test.each([
  ['0', 1],
  ['7', 7],
  ['901', 900],
  ['2000000', 900],
  ['9'.repeat(40), 900],
  ['-5', null],
  ['1e9', null],
  ['Wed, 21 Oct 2099 07:28:00 GMT', null],
])('Retry-After: %s counts as %s seconds', (text, seconds) => {
  const failure = refusedFor(text);
  expect(failure.retryAfterSeconds).toBe(seconds);
  const delayMs = delayBeforeRetry(failure, 1, { repeat: 'safe' }, () => 0);
  expect(delayMs).toBe(seconds === 900 ? undefined : (seconds ?? 0) * 1_000);
});

test('a wait that no timer can hold does not end at once', async () => {
  const stop = new AbortController();
  let isOver = false;
  const waiting = sleep(999_999_999_000, stop.signal).then(
    () => (isOver = true),
    () => undefined,
  );
  await sleep(50, new AbortController().signal);
  expect(isOver).toBe(false);
  stop.abort();
  await waiting;
});
