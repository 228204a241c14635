import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Patterns of the test files of `npm test` and `npm run test:slow`. */
export const allTests = ['{packages,services}/*/tests/**/*.test.ts', 'bench/tests/**/*.test.ts'];

/** Patterns of the files that only `npm run test:slow` runs. */
export const slowTests = ['{packages,services}/*/tests/**/*.slow.test.ts', 'bench/tests/**/*.slow.test.ts'];

/** Patterns of the files that `npm test` runs short and `npm run test:slow` long. */
export const scaledTests = [
  'services/api/tests/fuzz/fuzz.test.ts',
  'packages/shared/tests/handoff/generation/random-evidence.test.ts',
];

/** The fault suite has a run of its own: `vitest.faults.config.ts`. */
export const faultSuite = 'services/api/tests/fault-suite/**/*.test.ts';

/** Folders whose tests run on both stores of the queue, if they use it. */
const queueFolders = '{packages,services}/*/tests/{acceptance,jobs}/**/*.test.ts';

const queueUse =
  /\bworkers: true\b|\bstart(Report)?WorkerProcess\(|\btestBackend\(|\bget_readiness\b|'\/health\/ready'\)/;

/**
 * Whether the source of a test file starts workers, checks readiness or asks for the queue's backend. To wait for the readiness of a
 * started process, as in `waitForHttp(`${url}/health/ready`)`, is no use of the queue.
 */
export const usesQueue = (source: string): boolean => queueUse.test(source);

/** Tests whose jobs only make what they read. How a job gets to its worker makes no difference to them. */
const storeIndependent =
  /\/acceptance\/(?:context-|embedding-scale|extraction|memory-vectors\.|observation-|recall-|remote-(?!reconcile)|report-(?!worker)|source-trace|stats\.|work-memory|[a-z-]+-models?\.)/;

/** Paths of the tests of operations and jobs below `root` that depend on the store of the queue. */
export function findQueueTests(root: string): string[] {
  return globSync(queueFolders, { cwd: root })
    .filter((path) => !storeIndependent.test(path) && usesQueue(readFileSync(join(root, path), 'utf8')))
    .toSorted();
}
