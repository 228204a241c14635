import { writeFileSync } from 'node:fs';
import { SettingsError } from './config/index.ts';
import type { Logger } from './telemetry/index.ts';

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
