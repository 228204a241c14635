import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** State of a data directory: no server, a server without an owner, or a server that a live process owns. */
type Occupant = { kind: 'none' } | { kind: 'orphan' } | { kind: 'owned'; ownerPid: number };

/**
 * Finds out who uses a data directory. `orphan` is a server whose owner was killed. Removes a stale lock file, whose process
 * id belongs to another program (after a reboot, or in a new container): PostgreSQL would refuse to start.
 */
export async function occupantOf(directory: string): Promise<Occupant> {
  const lock = join(directory, 'postmaster.pid');
  const serverPid = await readPid(lock);
  if (serverPid === undefined) return { kind: 'none' };
  if (!(await commandLine(serverPid)).includes(resolve(directory))) {
    await rm(lock, { force: true });
    return { kind: 'none' };
  }
  const ownerPid = await readPid(ownerFile(directory));
  return ownerPid !== undefined && ownerPid !== process.pid && isAlive(ownerPid)
    ? { kind: 'owned', ownerPid }
    : { kind: 'orphan' };
}

/** Records this process as the owner of the server in `directory`. */
export const claim = (directory: string): Promise<void> =>
  writeFile(ownerFile(directory), `${process.pid}\n`);

const ownerFile = (directory: string) => join(directory, 'continuity.owner');

async function readPid(file: string): Promise<number | undefined> {
  const content = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function commandLine(pid: number): Promise<string> {
  if (!isAlive(pid)) return '';
  try {
    return await readFile(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    const listed = await execute('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
    return listed.stdout;
  }
}
