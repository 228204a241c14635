import { availableParallelism } from 'node:os';
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';
import type { QueueBackend } from './provided.ts';

/** A part of a test run: files, and the store of the queue under test. */
interface TestPart {
  name: string;
  include: string[];
  exclude?: string[];
  queue: QueueBackend;
  /** Part of `npm run test:slow`. Default false. */
  isSlow?: boolean;
  /** Parts of a higher order run after those of a lower one, so that they do not share the processors. Default 0. */
  order?: number;
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
      execArgv: [
        // A larger young generation than the default of 1 to 16 MiB, from the start: the same tests took 7 % less processor time.
        '--min-semi-space-size=64',
        '--max-semi-space-size=64',
        // PostgreSQL as WebAssembly (pgvector.ts) runs in these processes, and V8 13.6 ended one in three runs of the slow tests, when it
        // freed replaced code: "Check failed: jit_page_->allocations_.erase(addr) == 1".
        '--no-wasm-code-gc',
      ],
      // Many tests wait for a lease or a process, so three workers more than there are cores.
      maxWorkers: availableParallelism() + 3,
      // Ends what hangs. A busy machine, or one that pauses, may take long for anything else.
      testTimeout: 900_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 90_000 } },
      allowOnly: !process.env['CI'],
      reporters: ['default', slowestFiles, ...(report ? ['json'] : [])],
      ...(report && { outputFile: { json: report } }),
      projects: parts.map(defineProject),
    },
  };
}

const defineProject = ({
  queue,
  isSlow = false,
  order = 0,
  ...test
}: TestPart): TestProjectInlineConfiguration => ({
  test: {
    ...test,
    provide: { queueBackend: queue, isSlowRun: isSlow },
    sequence: { groupOrder: order },
  },
});

const shownFiles = 10;

/** Vitest reporter: prints the files that took longest at the end of a run, their imports and hooks included. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    process.stdout.write(`${formatSlowest(modules.map(measure))}\n`);
  },
};

/** Duration of a test file, in milliseconds. */
interface FileDuration {
  path: string;
  project: string;
  ms: number;
}

/** The slowest of `files`, slowest first, as lines of a table. */
export function formatSlowest(files: readonly FileDuration[]): string {
  const slowest = files.toSorted((left, right) => right.ms - left.ms).slice(0, shownFiles);
  const lines = slowest.map(
    ({ path, project, ms }) => `${(ms / 1_000).toFixed(1).padStart(8)} s  ${project.padEnd(8)}  ${path}`,
  );
  return ['Slowest files:', ...lines].join('\n');
}

function measure(module: TestModule): FileDuration {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return {
    path: module.relativeModuleId,
    project: module.project.name,
    ms: collectDuration + setupDuration + duration,
  };
}
