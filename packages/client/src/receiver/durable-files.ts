import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { statusOf, syncFolder } from './folders.ts';

const temporarySuffix = '.tmp';

/** Replaces a file at once and durably; only its owner can read it. If `beforeRename` throws, the old file stays. */
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

/** Removes the temporary files that killed processes left in a folder, if their names begin with the prefix. */
export async function removeTemporaryFiles(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const isTemporary = name.startsWith(prefix) && name.endsWith(temporarySuffix);
    if (isTemporary) await rm(join(folder, name), { force: true });
  }
}
