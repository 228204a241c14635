import { defineConfig } from 'vitest/config';
import { LongestFirst } from './packages/testing/src/longest-first.ts';
import { canProvideRedis } from './packages/testing/src/shared-servers.ts';
import {
  benchmarkSmoke,
  eventLoopOfWorkers,
  findQueueTests,
  scaledTests,
  slowTests,
} from './packages/testing/src/test-files.ts';
import { defineRun } from './packages/testing/src/test-runs.ts';

const include = [...slowTests, ...scaledTests];

/**
 * `npm run test:slow`: the slow test files, and those that use the queue once more, with the queue in PostgreSQL. Without Redis,
 * `npm test` has run these with that queue.
 */
export default defineConfig(async () => {
  const hasRedis = await canProvideRedis();
  const queue = hasRedis ? 'redis' : 'postgres';
  const again = {
    name: 'slow-pg',
    include: findQueueTests(import.meta.dirname),
    queue: 'postgres',
    isSlow: true,
  } as const;
  const run = defineRun([
    { name: 'slow', include, exclude: [eventLoopOfWorkers, benchmarkSmoke], queue, isSlow: true },
    ...(hasRedis ? [again] : []),
    { name: 'event-loop', include: [eventLoopOfWorkers], queue, isSlow: true, order: 1 },
    { name: 'bench', include: [benchmarkSmoke], queue, isSlow: true, order: 2 },
  ]);
  return { test: { ...run.test, sequence: { sequencer: LongestFirst } } };
});
