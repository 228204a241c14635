import { defineConfig } from 'vitest/config';
import { canProvideRedis } from './packages/testing/src/shared-servers.ts';
import { allTests, faultSuite, slowTests } from './packages/testing/src/test-files.ts';
import { defineRun } from './packages/testing/src/test-runs.ts';

/** `npm test`: every test file but the slow ones, once. Without Redis, the queue is in PostgreSQL. */
export default defineConfig(async () =>
  defineRun([
    {
      name: 'fast',
      include: allTests,
      exclude: [...slowTests, faultSuite],
      queue: (await canProvideRedis()) ? 'redis' : 'postgres',
    },
  ]),
);
