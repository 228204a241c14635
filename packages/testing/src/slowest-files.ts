import type { Reporter, TestModule } from 'vitest/node';

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
