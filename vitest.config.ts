import { defineConfig } from 'vitest/config';
import './packages/testing/src/provided.ts';

const everything = ['{packages,services}/*/tests/**/*.test.ts', 'bench/tests/**/*.test.ts'];
const acceptance = ['{packages,services}/*/tests/acceptance/**/*.test.ts'];

// TEST_REPORT: a file for the results as JSON, beside what the terminal shows.
const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    globalSetup: './packages/testing/src/global-setup.ts',
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    allowOnly: !process.env['CI'],
    ...(report ? { reporters: ['default', 'json'], outputFile: { json: report } } : {}),
    projects: [
      {
        test: {
          name: 'redis',
          include: everything,
          env: { TEST_QUEUE: 'redis' },
          provide: { queueBackend: 'redis' },
        },
      },
      {
        test: {
          name: 'embedded',
          include: acceptance,
          env: { TEST_QUEUE: 'postgres' },
          provide: { queueBackend: 'postgres' },
        },
      },
    ],
  },
});
