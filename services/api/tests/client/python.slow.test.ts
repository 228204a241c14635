import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { tokenOf, writeTokens } from '../support/tenants.ts';

const execute = promisify(execFile);

const source = fileURLToPath(new URL('../../../../clients/python', import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
if (!hasPython)
  process.stderr.write('The Python client is not tested: python3 with venv is not installed.\n');

/** Python compiles the few modules that the test imports; pip would compile all of them. */
const installQuickly = ['install', '--no-compile', '--quiet', '--disable-pip-version-check'];

const folder = await mkdtemp(join(tmpdir(), 'continuity-python-'));

afterAll(() => rm(folder, { recursive: true }));

test.skipIf(!hasPython)(
  'the Python client passes its tests and type checks against a running service',
  async () => {
    await run('python3', ['-m', 'venv', folder]);
    const bin = (name: string) => join(folder, 'bin', name);
    const [service] = await Promise.all([
      startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') }, workers: true }),
      run(bin('pip'), [...installQuickly, `${source}[test]`]),
    ]);
    const env = { ...process.env, CONTINUITY_URL: service.url, CONTINUITY_TOKEN: tokenOf('acme') };
    const options = { cwd: source, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } };
    try {
      const tested = await run(bin('pytest'), ['-q', '-p', 'no:cacheprovider'], options);
      expect(tested).toMatch(/\d+ passed/);
      expect(tested).not.toMatch(/skipped|failed/);
      const mypy = ['--config-file', 'pyproject.toml', '--cache-dir', join(folder, 'mypy')];
      await run(bin('mypy'), mypy, options);
    } finally {
      await service.stop();
    }
  },
);

/** Runs a program; what it printed is in the error if it fails. */
async function run(...args: [string, string[], { cwd: string; env: NodeJS.ProcessEnv }?]): Promise<string> {
  const { stdout } = await execute(...args).catch((error: { message: string; stdout: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return String(stdout);
}
