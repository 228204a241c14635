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

/** Files that take more than a minute beside others, longest first. Most of them are small. */
export const longFiles = [
  'services/api/tests/console/matrix.slow.test.ts',
  'services/local/tests/local.slow.test.ts',
  'services/api/tests/import/import-kills.slow.test.ts',
  'packages/testing/tests/release.slow.test.ts',
  'packages/shared/tests/memory/search/query-cost.slow.test.ts',
  'services/api/tests/http/event-loop.slow.test.ts',
  'services/api/tests/fuzz/fuzz.test.ts',
  'services/api/tests/console/review.slow.test.ts',
  'services/api/tests/mcp/converters.slow.test.ts',
  'services/api/tests/acceptance/context-explain.slow.test.ts',
  'services/api/tests/client/hooks/hook-kills.slow.test.ts',
  'packages/shared/tests/memory/search/ended-entries.slow.test.ts',
  'services/api/tests/fuzz/definitions.slow.test.ts',
  'services/api/tests/faults/lost-tenants.slow.test.ts',
  'services/api/tests/servers/moves.slow.test.ts',
  'services/api/tests/contract/queued-operations.slow.test.ts',
  'services/api/tests/console/hostile.slow.test.ts',
  'services/api/tests/examples/quick-starts.slow.test.ts',
  'services/local/tests/guides.slow.test.ts',
  'packages/embedded-postgres/tests/server.slow.test.ts',
];

/** Measures how long a worker holds its event loop. Beside other files, the same step takes several times the processor time. */
export const eventLoopOfWorkers = 'services/api/tests/faults/worker-event-loop.slow.test.ts';

/** All benchmarks with small data. Their servers, browsers and freezes need the machine for themselves. */
export const benchmarkSmoke = 'bench/tests/quick.slow.test.ts';

/** The fault suite has a run of its own: `vitest.faults.config.ts`. */
export const faultSuite = 'services/api/tests/fault-suite/**/*.test.ts';

/** Folders whose tests run on both stores of the queue, if they use it. */
const queueFolders = '{packages,services}/*/tests/{acceptance,jobs}/**/*.test.ts';

const queueUse =
  /\bworkers: true\b|\bstart(Report)?WorkerProcess\(|\bstartGeneratingService\(|\btestBackend\(|\bget_readiness\b|'\/health\/ready'\)/;

/**
 * Whether the source of a test file starts workers, checks readiness or asks for the queue's backend. To wait for the readiness of a
 * started process, as in `waitForHttp(`${url}/health/ready`)`, is no use of the queue.
 */
export const usesQueue = (source: string): boolean => queueUse.test(source);

/**
 * Tests whose jobs only make what they read: vectors, sets of scanned packages, ended entries. How a job gets to its worker makes no
 * difference to them. The other tests claim, share, lose, repeat, cancel or refuse jobs.
 */
const storeIndependent =
  /\/acceptance\/(?:builtin-embeddings|context-|embedding-scale|external-skills(?!-hosts)|extraction|memory-validity|memory-vectors\.|neighbors|observation-|recall-|remote-(?!reconcile)|report-(?!worker)|source-trace|stats\.|work-memory|[a-z-]+-models?\.)/;

/** Paths of the tests of operations and jobs below `root` that depend on the store of the queue. */
export function findQueueTests(root: string): string[] {
  return globSync(queueFolders, { cwd: root })
    .filter((path) => !storeIndependent.test(path) && usesQueue(readFileSync(join(root, path), 'utf8')))
    .toSorted();
}
