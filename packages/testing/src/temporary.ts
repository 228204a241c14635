import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpOnExit } from './exit-cleanup.ts';

/** The file system in memory of Linux. */
const sharedMemory = '/dev/shm';

/** Least free space for a run of all tests. A container often has 64 MiB. */
const minFreeBytes = 4 * 1024 ** 3;

/** Creates a directory that is removed when this process ends. */
export function temporaryDirectory(name: string): Promise<string> {
  return directoryIn(tmpdir(), name);
}

/**
 * Creates a directory that is removed when this process ends, in memory if there is room. A run of all tests creates and deletes the
 * files of hundreds of databases, which is slow on a disk.
 */
export async function memoryDirectory(name: string): Promise<string> {
  return await directoryIn((await hasRoomInMemory()) ? sharedMemory : tmpdir(), name);
}

async function directoryIn(parent: string, name: string): Promise<string> {
  const directory = await mkdtemp(join(parent, `continuity-${name}-`));
  cleanUpOnExit({ directory });
  return directory;
}

async function hasRoomInMemory(): Promise<boolean> {
  const found = await statfs(sharedMemory).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= minFreeBytes;
}
