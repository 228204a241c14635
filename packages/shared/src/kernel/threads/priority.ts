import { getPriority, setPriority } from 'node:os';

/** Added to the niceness of the process. */
const step = 10;

/** The lowest priority that systems have. */
const maxNiceness = 19;

/**
 * In a thread: lowers its priority, so that where processors are short, the event loop of its process goes first. Its tasks then take
 * longer on a busy machine, so their time limit must allow for that. Only Linux has priorities of threads; elsewhere nothing changes.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + step, maxNiceness));
}
