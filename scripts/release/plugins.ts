import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inCanonicalOrder, writeArchive } from '../../packages/skill-packages/src/index.ts';
import { root } from './root.ts';
import { trackedFiles } from './tracked-files.ts';

/** Writes the archive of all plugins of agent hosts into the folder `target`, and returns its name. Its files have no time. */
export function buildPlugins(target: string, version: string): string {
  const name = `continuity-plugin-${version}.zip`;
  const files = trackedFiles('integrations').map((file) => ({
    path: file.replace('integrations/', ''),
    executable: (statSync(join(root, file)).mode & 0o100) !== 0,
    bytes: readFileSync(join(root, file)),
  }));
  writeFileSync(join(target, name), writeArchive(inCanonicalOrder(files)));
  return name;
}
