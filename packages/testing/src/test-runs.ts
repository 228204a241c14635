import { availableParallelism } from 'node:os';
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';
import type { QueueBackend } from './provided.ts';
import { slowestFiles } from './slowest-files.ts';

/** A part of a test run: files, and the store of the queue under test. */
interface TestPart {
  name: string;
  include: string[];
  exclude?: string[];
  queue: QueueBackend;
  /** Part of `npm run test:slow`. Default false. */
  isSlow?: boolean;
}

/**
 * Vitest configuration of a run with `parts`. The environment variable TEST_REPORT names a file for the results as JSON, beside what
 * the terminal shows.
 */
export function defineRun(parts: readonly TestPart[]): ViteUserConfig {
  const report = process.env['TEST_REPORT'];
  return {
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
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 90_000 } },
      allowOnly: !process.env['CI'],
      reporters: ['default', slowestFiles, ...(report ? ['json'] : [])],
      ...(report && { outputFile: { json: report } }),
      projects: parts.map(defineProject),
    },
  };
}

const defineProject = ({ queue, isSlow = false, ...test }: TestPart): TestProjectInlineConfiguration => ({
  test: { ...test, provide: { queueBackend: queue, isSlowRun: isSlow } },
});
