import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './root.ts';
import { copyTracked } from './tracked-files.ts';

const execute = promisify(execFile);
const cache = join(root, 'node_modules', '.cache');

/** One version of the build tool, so that each release has the same bytes. It needs a newer Python than the client. */
const requirement = 'hatchling==1.28.0';

/**
 * Builds wheel and source archive of the Python client into the folder `target`, and resolves to their names. It needs `python3` 3.10 or
 * newer with `venv`; the build tool comes from pip.
 *
 * @param time of all files, in seconds
 */
export async function buildPythonPackage(target: string, version: string, time: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'continuity-python-'));
  try {
    copyTracked('clients/python', folder);
    const builder = await ensureBuilder();
    await execute(builder, ['-m', 'hatchling', 'build', '-d', folder], {
      cwd: folder,
      env: { ...process.env, SOURCE_DATE_EPOCH: String(time), PYTHONDONTWRITEBYTECODE: '1' },
    });
    const names = [`continuity_client-${version}-py3-none-any.whl`, `continuity_client-${version}.tar.gz`];
    for (const name of names) writeFileSync(join(target, name), readFileSync(join(folder, name)));
    return names;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The Python of a folder of its own that has the build tool, which pip installs once. */
async function ensureBuilder(): Promise<string> {
  const folder = join(cache, `python-${requirement.replace('==', '-')}`);
  const python = (where: string) =>
    process.platform === 'win32' ? join(where, 'Scripts', 'python.exe') : join(where, 'bin', 'python');
  if (existsSync(python(folder))) return python(folder);
  const draft = mkdtempSync(`${folder}-`);
  await execute('python3', ['-m', 'venv', draft]);
  await execute(python(draft), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    requirement,
  ]);
  renameSync(draft, folder);
  return python(folder);
}
