import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { statusOf, syncFolder } from './folders.ts';

/** End of the names of files that a process was killed before it renamed. */
export const temporarySuffix = '.tmp';

/**
 * Replaces a file at once and durably; only its owner can read it. `beforeRename` may throw to leave the old file in place.
 */
export async function writeDurably(
  path: string,
  text: string,
  beforeRename: () => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}${temporarySuffix}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await beforeRename();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes a file durably, if it exists. */
export async function removeDurably(path: string): Promise<void> {
  if ((await statusOf(path)) === undefined) return;
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}
