import { defineConfig } from 'vitest/config';

// TEST_REPORT: a file for the results as JSON, beside what the terminal shows.
const report = process.env['TEST_REPORT'];

/** The fault suite: one deployment with servers of its own, and one fault after the other. */
export default defineConfig({
  test: {
    include: ['services/api/tests/fault-suite/**/*.test.ts'],
    pool: 'forks',
    // Ends what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    allowOnly: !process.env['CI'],
    reporters: ['verbose', ...(report ? ['json'] : [])],
    ...(report && { outputFile: { json: report } }),
  },
});
