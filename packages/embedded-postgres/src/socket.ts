import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Limit of the path of a Unix socket in bytes: macOS has 104 with the final NUL byte, Linux 108. */
const maxPathBytes = 103;

const prefix = '.s.PGSQL.';

/**
 * The directory for the server's Unix socket, by which a statement takes less processor time than over TCP: the data directory,
 * which only PostgreSQL's account and root can enter. Undefined on Windows, and if the path would be too long.
 */
export function socketDirectoryFor(dataDirectory: string, port: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  const path = join(dataDirectory, `${prefix}${port}`);
  return Buffer.byteLength(path) > maxPathBytes ? undefined : dataDirectory;
}

/**
 * Removes the sockets of a server that was killed. PostgreSQL refuses to start if the process id in a socket's lock file belongs to
 * another program by now. No server may run in the directory.
 */
export async function removeStaleSockets(directory: string): Promise<void> {
  const stale = (await readdir(directory)).filter((name) => name.startsWith(prefix));
  await Promise.all(stale.map((name) => rm(join(directory, name), { force: true })));
}
