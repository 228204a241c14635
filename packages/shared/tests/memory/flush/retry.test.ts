import { backoffMs } from '@continuity/kernel/process';
import { expect, test } from 'vitest';
import { afterFailure, afterSuccess, builtInWindow, flushBackoff } from '../../../src/memory/flush/fail.ts';

const fresh = { failedFlushes: 0, invalidOutputs: 0, windowLimit: null };

test('spec 20 A4: the pause is 5 s, doubling to 10 min', () => {
  expect([1, 2, 3, 7, 8, 40].map((failures) => backoffMs(flushBackoff, failures))).toEqual([
    5_000, 10_000, 20_000, 320_000, 600_000, 600_000,
  ]);
});

test('spec 20 F12: three invalid outputs halve the window, down to one Source and then to the built-in extractor', () => {
  const sizes: (number | null)[] = [];
  let state: Parameters<typeof afterFailure>[0] = fresh;
  for (let size = 100; state.windowLimit !== builtInWindow; size = state.windowLimit ?? 100) {
    for (let attempt = 0; attempt < 3; attempt += 1) state = afterFailure(state, 'invalid_output', size);
    sizes.push(state.windowLimit);
  }
  expect(sizes).toEqual([50, 25, 12, 6, 3, 1, 0]);
});

test('spec 20 F12: time-outs and outages never halve a window', () => {
  let state = afterFailure(fresh, 'invalid_output', 100);
  for (const reason of ['timeout', 'unreachable', 'refused', 'other'] as const)
    state = afterFailure(state, reason, 100);
  expect(state).toEqual({ failedFlushes: 5, invalidOutputs: 1, windowLimit: null });
});

test('a window that went through grows back step by step', () => {
  const sizes: (number | null)[] = [];
  let state: Parameters<typeof afterSuccess>[0] = {
    failedFlushes: 9,
    invalidOutputs: 2,
    windowLimit: builtInWindow,
  };
  do {
    state = afterSuccess(state, 10);
    sizes.push(state.windowLimit);
  } while (state.windowLimit !== null);
  expect(sizes).toEqual([1, 2, 4, 8, null]);
  expect(state).toEqual(fresh);
});
