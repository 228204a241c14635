import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { statusOf, syncFolder } from './folders.ts';

const temporarySuffix = '.tmp';

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

/** Removes the files of a folder that a process was killed before it renamed. */
export async function removeTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith(temporarySuffix)) await rm(join(folder, name), { force: true });
  }
}
