import { defineConfig } from 'vitest/config';

// TEST_REPORT: a file for the results as JSON, beside what the terminal shows.
const report = process.env['TEST_REPORT'];

// FAULTS_ONLY chooses among the faults of this file.
const files = process.env['FAULTS_ONLY'] === undefined ? '*.test.ts' : 'fault-suite.test.ts';

/** The fault suite: deployments with servers of their own, and one fault after the other. */
export default defineConfig({
  test: {
    include: [`services/api/tests/fault-suite/${files}`],
    pool: 'forks',
    // A second deployment would slow down the recoveries of the first one.
    fileParallelism: false,
    // Ends what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    allowOnly: !process.env['CI'],
    reporters: ['verbose', ...(report ? ['json'] : [])],
    ...(report && { outputFile: { json: report } }),
  },
});
