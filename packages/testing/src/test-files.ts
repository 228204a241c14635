import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const acceptanceTests = '{packages,services}/*/tests/acceptance/**/*.test.ts';

const queueUse =
  /\bworkers: true\b|\bstart(Report)?WorkerProcess\(|\btestBackend\(|\bget_readiness\b|'\/health\/ready'\)/;

/**
 * Whether the source of a test file starts workers, checks readiness or asks for the queue's backend. To wait for the readiness of a
 * started process, as in `waitForHttp(`${url}/health/ready`)`, is no use of the queue.
 */
export const usesQueue = (source: string): boolean => queueUse.test(source);

/** Paths of the acceptance tests below `root` that use the queue. */
export function findQueueTests(root: string): string[] {
  return globSync(acceptanceTests, { cwd: root })
    .filter((path) => usesQueue(readFileSync(join(root, path), 'utf8')))
    .toSorted();
}
