import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execute, findProgram, installOnce, skipFor, toolDirectory } from './tools.ts';

/**
 * Finds the Python of a version such as `3.9`: on PATH, or among those of pyenv. Undefined, with a sentence on standard output, without
 * one; in CI a failure.
 */
export async function findPython(version: string): Promise<string | undefined> {
  const onPath = await findProgram(`python${version}`);
  const pyenv = process.env['PYENV_ROOT'] || join(homedir(), '.pyenv');
  const candidates = [
    ...(onPath === undefined ? [] : [onPath]),
    ...globSync(join(pyenv, 'versions', `${version}.*`, 'bin', 'python3')),
  ];
  for (const candidate of candidates) {
    // What pyenv puts on PATH fails for a version that is not chosen.
    const runs = await execute(candidate, ['-c', 'import venv, ensurepip']).then(
      () => true,
      () => false,
    );
    if (runs) return candidate;
  }
  return skipFor(`A test needs Python ${version} with venv.`);
}

/**
 * The Python of a virtual environment with these requirements, which pip installs once for this user. Its programs run as
 * `python -m NAME`, because the environment was moved.
 *
 * @param requirements each pinned to a version, or the path of an archive
 */
export async function ensureVenv(
  name: string,
  python: string,
  requirements: readonly string[],
): Promise<string> {
  const digest = createHash('sha256')
    .update([python, ...requirements].join('\n'))
    .digest('hex');
  const directory = toolDirectory(`venv-${name}-${digest.slice(0, 12)}`);
  if (!existsSync(directory))
    process.stdout.write(`Installing ${requirements.join(' ')} with pip, because a test needs it …\n`);
  await installOnce(directory, async (draft) => {
    await execute(python, ['-m', 'venv', draft]);
    const install = ['install', '--quiet', '--disable-pip-version-check', '--no-compile', ...requirements];
    await execute(join(draft, 'bin', 'python'), ['-m', 'pip', ...install], { maxBuffer: 64 * 1024 * 1024 });
  });
  return join(directory, 'bin', 'python');
}

/**
 * Variables of a Python program that keeps what it compiles outside of the checkout, for the next process. A program that imports the
 * libraries of an agent framework takes half the processor time with them.
 */
export const keepBytecode = {
  PYTHONDONTWRITEBYTECODE: '',
  PYTHONPYCACHEPREFIX: toolDirectory('python-bytecode'),
};
