// Puts the files of a new build into the folder of the programs. Kept apart from the bundler for its test.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Names of the files of the last build, in the folder of the programs. */
const manifest = '.files';

/** How long a replaced file stays. A process of the build before loads some of its files later, such as those of its threads. */
const keptMs = 7 * 24 * 3_600_000;

/**
 * Moves the files `names` of a build from `draft` to `target`, one after the other, so that a program may start meanwhile. Files of
 * earlier builds stay in `target` for a week after they were replaced.
 */
export function installBuild(draft: string, target: string, names: string[]): void {
  mkdirSync(target, { recursive: true });
  const manifestPath = join(target, manifest);
  const last = existsSync(manifestPath) ? readFileSync(manifestPath, 'utf8').split('\n') : [];
  for (const name of names) renameSync(join(draft, name), join(target, name));
  const now = new Date();
  for (const name of readdirSync(target)) {
    const path = join(target, name);
    if (name.startsWith('.') || names.includes(name) || statSync(path).isDirectory()) continue;
    if (last.includes(name)) utimesSync(path, now, now);
    else if (now.getTime() - statSync(path).mtimeMs > keptMs) rmSync(path);
  }
  writeFileSync(manifestPath, names.join('\n'));
}
