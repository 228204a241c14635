import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Finds the first of `names` that is an executable on PATH, and returns its path. */
export async function findProgram(...names: string[]): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const candidate of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    const isExecutable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return candidate;
  }
  return undefined;
}

/** Finds an installed Redis server: Redis, or its fork Valkey. */
export const findRedisServer = (): Promise<string | undefined> =>
  findProgram('redis-server', 'valkey-server');

/** Finds an installed Chromium or Chrome. */
export const findChromium = (): Promise<string | undefined> =>
  findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');

/** Finds an installed promtool, the test tool of Prometheus. */
export const findPromtool = (): Promise<string | undefined> => findProgram('promtool');
