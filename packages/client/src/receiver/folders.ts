import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf, UnexpectedEntryError } from './errors.ts';

/** Creates the missing folders of a path, and returns the last one. Throws `UnexpectedEntryError` for a link or a file among them. */
export async function makeFolders(base: string, names: readonly string[], mode = 0o777): Promise<string> {
  let path = base;
  for (const name of names) {
    path = join(path, name);
    await mkdir(path, { mode }).catch(ignore('EEXIST'));
    await requireRealFolder(path);
  }
  return path;
}

/** Whether all folders of a path exist. Throws `UnexpectedEntryError` for a link or a file among them. */
export async function haveFolders(base: string, names: readonly string[]): Promise<boolean> {
  let path = base;
  for (const name of names) {
    path = join(path, name);
    if ((await statusOf(path)) === undefined) return false;
    await requireRealFolder(path);
  }
  return true;
}

/** Whether all folders of a path exist, without a link or a file among them. */
export async function isRealFolder(base: string, names: readonly string[]): Promise<boolean> {
  try {
    return await haveFolders(base, names);
  } catch (error) {
    if (error instanceof UnexpectedEntryError) return false;
    throw error;
  }
}

async function requireRealFolder(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw new UnexpectedEntryError(path);
}

/** Status of a file, folder or link; undefined if the path does not exist. */
export async function statusOf(path: string): Promise<Stats | undefined> {
  return (await lstat(path).catch(ignore('ENOENT', 'ENOTDIR'))) ?? undefined;
}

/** Makes earlier creations, renames and removals in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and its file systems journal renames.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes a tree, including read-only folders. Follows no link. */
export async function removeTree(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true });
  await remove().catch(async (error: unknown) => {
    if (systemCodeOf(error) !== 'EACCES') throw error;
    await makeWritable(path);
    await remove();
  });
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}

/** Removes folders from the last to the first, as long as they are empty. */
export async function removeEmptyFolders(paths: readonly string[]): Promise<void> {
  for (const path of paths.toReversed()) {
    await rmdir(path).catch(ignore('ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'));
  }
}

/** Creates a handler for rejections that ignores some error codes of the operating system. */
export function ignore(...codes: string[]): (error: unknown) => void {
  return (error) => {
    const code = systemCodeOf(error);
    if (code === undefined || !codes.includes(code)) throw error;
  };
}
