import { defineConfig } from 'vitest/config';

// TEST_REPORT: a file for the results as JSON, beside what the terminal shows.
const report = process.env['TEST_REPORT'];

/** `npm run test:cluster`: the image with the compose file and with the chart. The files run one after the other, and share one cluster. */
export default defineConfig({
  test: {
    include: ['scripts/cluster/tests/*.cluster.ts'],
    pool: 'forks',
    fileParallelism: false,
    isolate: false,
    // Ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    allowOnly: !process.env['CI'],
    reporters: ['verbose', ...(report ? ['json'] : [])],
    ...(report && { outputFile: { json: report } }),
  },
});
