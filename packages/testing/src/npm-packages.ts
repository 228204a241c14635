import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, installOnce, toolDirectory } from './tools.ts';

/** Versions of packages that no pin names are those of this day. */
const installedAsOf = '2026-11-27';

/**
 * A folder with these packages of npm, which npm installs once for this user. A program that runs there by `node --eval` can import them.
 *
 * @param packages each with its exact version
 */
export async function ensureNpmPackages(name: string, packages: readonly string[]): Promise<string> {
  const digest = createHash('sha256').update(packages.join('\n')).digest('hex');
  const directory = toolDirectory(`npm-${name}-${digest.slice(0, 12)}`);
  if (!existsSync(directory))
    process.stdout.write(`Installing ${packages.join(' ')} with npm, because a test needs it …\n`);
  await installOnce(directory, async (draft) => {
    await writeFile(join(draft, 'package.json'), '{ "private": true }\n');
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', `--before=${installedAsOf}`];
    await execute('npm', ['install', ...options, ...packages], { cwd: draft });
  });
  return directory;
}
