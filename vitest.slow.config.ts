import { defineConfig } from 'vitest/config';
import { LongestFirst } from './packages/testing/src/longest-first.ts';
import { canProvideRedis } from './packages/testing/src/shared-servers.ts';
import { findQueueTests, scaledTests, slowTests } from './packages/testing/src/test-files.ts';
import { defineRun } from './packages/testing/src/test-runs.ts';

const include = [...slowTests, ...scaledTests];

/**
 * `npm run test:slow`: the slow test files, and those that use the queue once more, with the queue in PostgreSQL. Without Redis,
 * `npm test` has run these with that queue.
 */
export default defineConfig(async () => {
  const run = defineRun(
    (await canProvideRedis())
      ? [
          { name: 'slow', include, queue: 'redis', isSlow: true },
          { name: 'slow-pg', include: findQueueTests(import.meta.dirname), queue: 'postgres', isSlow: true },
        ]
      : [{ name: 'slow', include, queue: 'postgres', isSlow: true }],
  );
  return { test: { ...run.test, sequence: { sequencer: LongestFirst } } };
});
