import { writeFileSync } from 'node:fs';
import { SettingsError } from './config/index.ts';

const intervalMs = 5_000;

/**
 * Touches the file of `LIVENESS_FILE` every 5 s while the event loop of this process runs, so that a probe can compare its age.
 * Returns a function that stops it. Throws a `SettingsError` if the file cannot be written. Without a path, does nothing.
 */
export function touchWhileAlive(path: string | undefined): () => void {
  if (path === undefined) return () => undefined;
  try {
    writeFileSync(path, '');
  } catch (error) {
    throw new SettingsError(`LIVENESS_FILE cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
  const timer = setInterval(() => writeFileSync(path, ''), intervalMs);
  return () => clearInterval(timer);
}
