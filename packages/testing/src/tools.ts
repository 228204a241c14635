import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, glob, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

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

/** Chromium without the windows of a browser, as Debian packages it. A test takes less than half the processor time in it. */
export const headlessShell = 'chromium-headless-shell';

/** Finds an installed Chromium or Chrome. */
export const findChromium = (): Promise<string | undefined> =>
  findProgram(headlessShell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');

/** Finds an installed promtool, the test tool of Prometheus. */
export const findPromtool = (): Promise<string | undefined> => findProgram('promtool');

export const execute = promisify(execFile);

/** Directory of a tool that the tests install for this user. `name` has the version. */
export function toolDirectory(name: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'continuity-tests', name);
}

/** Fills `directory` by `install` if it is missing. `install` works in another directory, so that none is ever half full. */
export async function installOnce(
  directory: string,
  install: (draft: string) => Promise<void>,
): Promise<void> {
  if (existsSync(directory)) return;
  await mkdir(dirname(directory), { recursive: true });
  const draft = await mkdtemp(join(dirname(directory), `.${basename(directory)}-`));
  try {
    await install(draft);
    // Another process may have been first.
    await rename(draft, directory).catch(async (error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Says in a sentence why a test is skipped. In CI, nothing may be missing: throws the sentence instead. */
export function skipFor(sentence: string): undefined {
  if (process.env['CI']) throw new Error(sentence);
  process.stdout.write(`Skipped: ${sentence}\n`);
}

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

/** Whether the package lists of this machine have the Debian package `name`. */
export const isPackageKnown = (name: string): Promise<boolean> =>
  execute('apt-cache', ['show', name]).then(
    () => true,
    () => false,
  );

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

/**
 * Finds the directory of PostgreSQL's programs, those of the server and of backups included: on PATH, or where Debian keeps the newest
 * version. Installs Debian's with apt-get. Undefined, with a sentence on standard output, if there are none.
 */
export async function findPostgresPrograms(): Promise<string | undefined> {
  const installed = await findInstalled();
  if (installed !== undefined) return installed;
  await installPackage('postgresql');
  return (await findInstalled()) ?? skipFor('The test of backups needs PostgreSQL with its programs.');
}

async function findInstalled(): Promise<string | undefined> {
  const onPath = await findProgram('initdb');
  // A link on PATH leads to the directory that holds them all.
  if (onPath !== undefined) return dirname(await realpath(onPath));
  const versions: number[] = [];
  for await (const path of glob('/usr/lib/postgresql/*/bin/initdb'))
    versions.push(Number(path.split('/')[4]));
  return versions.length === 0 ? undefined : `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
}
