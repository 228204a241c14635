import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SettingsError } from '../config/load.ts';
import type { Logger } from '../telemetry/logger.ts';

const intervalMs = 5_000;

/**
 * Touches the file of `LIVENESS_FILE` every 5 s while the event loop of this process runs, so that a probe can compare its age.
 * Returns a function that stops it. Throws a `SettingsError` if the file cannot be written. A later failure is logged: the probe
 * then restarts the process, which first ends its jobs. Without a path, does nothing.
 */
export function touchWhileAlive(path: string | undefined, logger: Logger): () => void {
  if (path === undefined) return () => undefined;
  const touch = () => writeFileSync(path, '');
  try {
    touch();
  } catch (error) {
    throw new SettingsError(`LIVENESS_FILE cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
  const timer = setInterval(() => {
    try {
      touch();
    } catch (error) {
      logger.warn({ err: error }, 'the liveness file could not be written');
    }
  }, intervalMs);
  return () => clearInterval(timer);
}

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
