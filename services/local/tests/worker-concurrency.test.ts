import { loadSettings } from '@continuity/kernel/config';
import { expect, test } from 'vitest';
import { workerConcurrency } from '../src/start-local.ts';

const concurrencyOn = (processors: number, environment: Record<string, string> = {}) =>
  workerConcurrency(loadSettings({ DATABASE_URL: 'postgresql://unused', ...environment }), processors);

test('without a model, jobs take half of the processors, at least one and at most eight', () => {
  expect([1, 2, 3, 4, 8, 16, 64].map((processors) => concurrencyOn(processors))).toEqual([
    1, 1, 1, 2, 4, 8, 8,
  ]);
});

test('jobs that wait for a model do not count processors', () => {
  const INFERENCE_BASE_URL = 'http://localhost:1';
  expect(concurrencyOn(2, { INFERENCE_BASE_URL, INFERENCE_GENERATION_MODEL: 'm' })).toBe(8);
  const embedding = { MODEL: 'm', DIMENSION: '8', PROFILE_ID: 'm' };
  const settings = Object.entries(embedding).map(([name, value]) => [`INFERENCE_EMBEDDING_${name}`, value]);
  expect(concurrencyOn(2, { INFERENCE_BASE_URL, ...Object.fromEntries(settings) })).toBe(8);
});
