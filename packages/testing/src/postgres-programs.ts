import { glob, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { installPackage } from './install-package.ts';
import { findProgram } from './programs.ts';
import { skipFor } from './tool-cache.ts';

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
