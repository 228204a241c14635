import { Session } from 'node:inspector/promises';

interface IdleMemoryOptions {
  /** Interval of the check, in milliseconds. Default 10 s. */
  checkMs?: number;
}

const defaultCheckMs = 10_000;

/** A process that uses less of one core than this is idle. */
const idleShare = 0.05;

/** Least growth of the resident memory since the last collection, in bytes, for which another one is worth its pause. */
const minGrowthBytes = 24 * 2 ** 20;

/**
 * Returns unused memory to the system while this process is idle: after the start, and after a load. V8 would keep the space
 * of a past load for as long as little is allocated. A collection pauses an idle process for 0.1 to 0.3 s, and runs only if
 * the process has grown since the last one. Returns a function that stops the checks.
 */
export function returnIdleMemory({ checkMs = defaultCheckMs }: IdleMemoryOptions = {}): () => void {
  let used = process.cpuUsage();
  let collectedRss = 0;
  const check = async () => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    const isIdle = (user + system) / 1_000 < idleShare * checkMs;
    if (!isIdle || process.memoryUsage.rss() - collectedRss < minGrowthBytes) return;
    await collectGarbage();
    collectedRss = process.memoryUsage.rss();
    // The collection does not count as work.
    used = process.cpuUsage();
  };
  const timer = setInterval(() => void check(), checkMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Collects all garbage and returns free pages, as V8 does when memory is low. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
