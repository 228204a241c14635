import { availableParallelism, loadavg } from 'node:os';

/** Processes that want each core while a test run has a machine to itself. */
const usualLoad = 2;

/**
 * How much longer than usual a process waits for the machine: 1 on one that only runs the tests, more where others run too. From the
 * load of the last minute, so it is 1 on Windows, which does not report it.
 */
export function slowdown(): number {
  const [load = 0] = loadavg();
  return Math.max(1, load / availableParallelism() / usualLoad);
}

/** Limit of an elapsed time: `ms` milliseconds, and more on a machine that is busy with something else. */
export const underLoad = (ms: number): number => ms * slowdown();
