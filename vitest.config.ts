import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import './packages/testing/src/provided.ts';
import { slowestFiles } from './packages/testing/src/slowest-files.ts';
import { findQueueTests } from './packages/testing/src/test-files.ts';

/** The fault suite has a run of its own: `vitest.faults.config.ts`. */
const faultSuite = 'services/api/tests/fault-suite/**';

const allTests = ['{packages,services}/*/tests/**/*.test.ts', 'bench/tests/**/*.test.ts'];

/** Vitest starts the projects in alphabetical order: these run beside the others, and not as a tail after them. */
const longTests = [
  'bench/tests/**/*.test.ts',
  'services/api/tests/faults/reconcile-kills.test.ts',
  'services/api/tests/fuzz/**/*.test.ts',
  '{packages,services}/*/tests/**/pgvector.test.ts',
];

// TEST_REPORT: a file for the results as JSON, beside what the terminal shows.
const report = process.env['TEST_REPORT'];

const onRedis = { env: { TEST_QUEUE: 'redis' }, provide: { queueBackend: 'redis' } } as const;
const onPostgres = { env: { TEST_QUEUE: 'postgres' }, provide: { queueBackend: 'postgres' } } as const;

export default defineConfig({
  test: {
    globalSetup: './packages/testing/src/global-setup.ts',
    pool: 'forks',
    // Files that run one after the other in a worker share the modules that they import.
    isolate: false,
    // A larger young generation than the default of 16 MiB: the same tests took 4 and 9 % less processor time.
    execArgv: ['--max-semi-space-size=64'],
    // Many tests wait for a lease or a process, so two workers more than there are cores.
    maxWorkers: availableParallelism() + 2,
    // Ends what hangs. A busy machine, or one that pauses, may take long for anything else.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    allowOnly: !process.env['CI'],
    reporters: ['default', slowestFiles, ...(report ? ['json'] : [])],
    ...(report && { outputFile: { json: report } }),
    projects: [
      { test: { name: 'long', include: longTests, ...onRedis } },
      { test: { name: 'postgres', include: findQueueTests(import.meta.dirname), ...onPostgres } },
      { test: { name: 'redis', include: allTests, exclude: [...longTests, faultSuite], ...onRedis } },
    ],
  },
});
