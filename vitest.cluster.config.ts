import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// TEST_REPORT: a file for the results as JSON, beside what the terminal shows.
const report = process.env['TEST_REPORT'];

/** By name. The compose file comes first, before a cluster takes a part of the machine. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId));
  }
}

/** `npm run test:cluster`: the image with the compose file and with the chart. The files run one after the other, and share one cluster. */
export default defineConfig({
  test: {
    include: ['scripts/cluster/tests/*.cluster.ts'],
    pool: 'forks',
    fileParallelism: false,
    isolate: false,
    sequence: { sequencer: ByName },
    // Ends what hangs. A test may have several waits.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    allowOnly: !process.env['CI'],
    reporters: ['verbose', ...(report ? ['json'] : [])],
    ...(report && { outputFile: { json: report } }),
  },
});
