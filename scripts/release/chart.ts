import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { writeTarArchive } from './tar-archive.ts';
import { trackedFiles } from './tracked-files.ts';

const chart = 'deploy/helm/continuity';

/**
 * Writes the archive of the Helm chart into the folder `target`, and resolves to its name. It is what `helm package` writes, but for the
 * time of its files: those of Helm have the time of the packing.
 *
 * @param time of all files, in seconds
 */
export async function buildChart(target: string, version: string, time: number): Promise<string> {
  const name = `continuity-${version}.tgz`;
  const ignored = readFileSync(join(root, chart, '.helmignore'), 'utf8')
    .split('\n')
    .filter(Boolean);
  const files = trackedFiles(chart)
    .map((path) => path.slice(chart.length + 1))
    .filter((path) => path !== '.helmignore' && !ignored.some((pattern) => isIgnored(path, pattern)));
  await writeTarArchive(join(target, name), { folder: join(root, chart), files, prefix: 'continuity', time });
  return name;
}

/** The forms that `.helmignore` of this chart has: a folder, a suffix, a name. */
function isIgnored(path: string, pattern: string): boolean {
  if (pattern.endsWith('/')) return path.startsWith(pattern);
  return pattern.startsWith('*') ? path.endsWith(pattern.slice(1)) : path === pattern;
}
