import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './programs.ts';

const execute = promisify(execFile);

/**
 * Installs a Debian package that the tests need, and reports it on standard output. Returns false, with a message on standard error,
 * if it cannot be installed.
 */
export async function installPackage(name: string): Promise<boolean> {
  const prefix = await asRoot();
  if (prefix === undefined) return false;
  process.stdout.write(`Installing ${name} with apt-get, because the tests need it …\n`);
  try {
    // Missing or old package lists make the install fail. Refreshing them takes longer than the install itself.
    await aptGet(prefix, name).catch(async () => {
      await execute(prefix[0] ?? 'apt-get', [...prefix.slice(1), 'update']);
      await aptGet(prefix, name);
    });
    return true;
  } catch (error) {
    process.stderr.write(`apt-get could not install ${name}: ${String(error)}\n`);
    return false;
  }
}

const aptGet = ([program = 'apt-get', ...before]: string[], name: string) =>
  execute(program, [...before, 'install', '-y', '--no-install-recommends', name], {
    // RUNLEVEL=1 keeps apt-get from starting the program as a service.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });

/** The command that runs apt-get with the right to install; undefined if this user has no such right. */
async function asRoot(): Promise<string[] | undefined> {
  if (!(await findProgram('apt-get'))) return undefined;
  if (process.getuid?.() === 0) return ['apt-get'];
  const isAllowed = await execute('sudo', ['-n', 'true']).then(
    () => true,
    () => false,
  );
  return isAllowed ? ['sudo', '-n', 'apt-get'] : undefined;
}
