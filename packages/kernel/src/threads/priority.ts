import { readdirSync, readFileSync } from 'node:fs';
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
  if (process.platform === 'linux') tryLower(lowerPriority);
}

/**
 * Lowers the priority of the threads with which V8 collects garbage. They serve all threads of the process, so the garbage of a large
 * body would take the processors from the event loop. Only on Linux; elsewhere nothing changes.
 */
export function lowerGarbageCollectionPriority(): void {
  if (process.platform !== 'linux') return;
  const threads = '/proc/self/task';
  tryLower(() => {
    for (const id of readdirSync(threads)) {
      if (readFileSync(`${threads}/${id}/comm`, 'utf8') === 'V8Worker\n') lowerPriority(Number(id));
    }
  });
}

/** Lowers the priority of a thread; without an id, of the calling one. */
function lowerPriority(threadId = 0): void {
  setPriority(threadId, Math.min(getPriority(threadId) + step, maxNiceness));
}

/** Ignores a failure, because a sandbox may forbid the call. The service then shares scarce processors less well. */
function tryLower(lower: () => void): void {
  try {
    lower();
  } catch {}
}
