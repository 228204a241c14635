import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The home folder of the user; undefined without one. The account of a container with a random user id has none: Node then throws
 * unless `HOME` is set.
 */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** Default of `DATA_DIR`; undefined for a user without a home folder. */
export function defaultDataDirectory(): string | undefined {
  const home = homeFolder();
  return home === undefined ? undefined : join(home, '.local', 'share', 'continuity');
}
