import { workerQueueNames } from '@continuity/contract';
import { expect, test } from 'vitest';
import { loadSettings, SettingsError } from '../src/config/load.ts';

test('WORKER_QUEUES names all queues, or some, each once', () => {
  expect(loadSettings({}).WORKER_QUEUES).toEqual(workerQueueNames);
  const some = { WORKER_QUEUES: 'candidate-generation, candidate-generation' };
  expect(loadSettings(some).WORKER_QUEUES).toEqual(['candidate-generation']);
});

test.each(['memory-flush,', 'flush', ','])('WORKER_QUEUES %s is refused by name', (value) => {
  const load = () => loadSettings({ WORKER_QUEUES: value });
  expect(load).toThrow(SettingsError);
  expect(load).toThrow(/^WORKER_QUEUES is invalid: .*memory-flush/);
});
