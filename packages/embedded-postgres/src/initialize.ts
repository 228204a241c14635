import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import { type Binaries, environment } from './binaries.ts';

const execute = promisify(execFile);

/** Properties of a new data directory. */
export interface DataDirectory {
  path: string;
  /** Password of the superuser `postgres`. */
  password: string;
  /** False: no fsync. */
  durable: boolean;
}

/**
 * Initializes a data directory unless it is initialized. Builds it in a sibling directory and renames that, so that a
 * killed process never leaves an incomplete data directory.
 */
export async function initialize(binaries: Binaries, account: Account, made: DataDirectory): Promise<void> {
  if (existsSync(join(made.path, 'PG_VERSION'))) return;
  const home = dirname(made.path);
  const prefix = `${basename(made.path)}.new-`;
  await mkdir(home, { recursive: true });
  const draft = join(home, `${prefix}${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  await runInitdb(binaries, account, { ...made, path: draft });
  await removeEmpty(made.path);
  await rename(draft, made.path);
  const abandoned = (await readdir(home)).filter((name) => name.startsWith(prefix));
  for (const name of abandoned) await rm(join(home, name), { recursive: true, force: true });
}

async function runInitdb(
  { initdb }: Binaries,
  account: Account,
  { path, password, durable }: DataDirectory,
): Promise<void> {
  // The parent directories stay accessible, because the account of PostgreSQL must be able to enter them.
  await mkdir(path, { mode: 0o700 });
  await changeOwner(path, account);
  // In a new directory: another account cannot plant a link at the path of the file.
  const directory = await mkdtemp(join(tmpdir(), 'continuity-'));
  try {
    const passwordFile = join(directory, 'password');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    await changeOwner(passwordFile, account);
    await changeOwner(directory, account);
    await execute(initdb, initdbArguments(path, passwordFile, durable), { ...account, env: environment() });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// The built-in locale sorts and folds equally on every operating system.
function initdbArguments(path: string, passwordFile: string, durable: boolean): string[] {
  return [
    `--pgdata=${path}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** Removes an empty directory. Throws if it is not empty: its files belong to somebody else. */
async function removeEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function changeOwner(path: string, { uid, gid }: Account): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}
