import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findQueueTests, longFiles, usesQueue } from '../src/test-files.ts';
import { formatSlowest } from '../src/test-runs.ts';

test.each([
  ['const service = await startService({ workers: true });', true],
  ['await using worker = await startWorkerProcess(service);', true],
  ["if (testBackend() === 'redis') return;", true],
  ["await service.call('get_readiness');", true],
  ["await service.send('GET', '/health/ready');", true],
  ["for (const path of ['/health/live', '/health/ready']) {", false],
  ['const service = await startService();', false],
  ['const { workers } = await readWorkers();', false],
])('%s uses the queue: %s', (source, expected) => {
  expect(usesQueue(source)).toBe(expected);
});

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('acceptance tests that use the queue are found in the repository', () => {
  const found = findQueueTests(root);
  expect(found).toContain('services/api/tests/acceptance/memory-flush.test.ts');
  expect(found).toContain('packages/testing/tests/acceptance/backend.test.ts');
  expect(found).toContain('services/api/tests/acceptance/report-worker.test.ts');
  expect(found).toContain('services/api/tests/acceptance/external-skills-hosts.test.ts');
  expect(found).toContain('services/api/tests/acceptance/generation-faults.slow.test.ts');
  expect(found).not.toContain('services/api/tests/acceptance/scopes-list.test.ts');
  expect(found).not.toContain('services/api/tests/acceptance/memory-vectors.test.ts');
  expect(found).not.toContain('services/api/tests/acceptance/external-skills.test.ts');
});

test('the long files, with which a run begins, exist', () => {
  expect(longFiles.filter((path) => !existsSync(root + path))).toEqual([]);
});

test('the ten slowest files are listed, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({
    path: `tests/${index}.test.ts`,
    project: 'redis',
    ms: index * 100,
  }));
  const lines = formatSlowest(files).split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[1]).toBe('     1.1 s  redis     tests/11.test.ts');
  expect(lines[10]).toBe('     0.2 s  redis     tests/2.test.ts');
});
