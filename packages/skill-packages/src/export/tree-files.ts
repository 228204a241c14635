import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { modeOf } from '../canonical-archive.ts';
import type { PackageFile } from '../files.ts';

const executeBits = 0o111;

/** Writes files with their modes into an empty folder, durably. */
export async function writeTree(folder: string, files: readonly PackageFile[]): Promise<void> {
  const folders = new Set([folder]);
  for (const file of files) {
    const path = join(folder, ...file.path.split('/'));
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    for (const parent of parentsOf(file.path)) folders.add(join(folder, parent));
    const handle = await open(
      path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    );
    try {
      await handle.writeFile(file.bytes);
      // The mode of `open` is subject to the umask.
      await handle.chmod(modeOf(file));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await chmod(folder, 0o755);
  // Windows opens no folders.
  if (process.platform !== 'win32') for (const path of folders) await syncFolder(path);
}

/** The folders above a relative path. */
function parentsOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads the files below a folder, whose paths begin with `prefix`, and follows no link. Throws for an entry that is neither a file nor a folder. */
export async function readTree(folder: string, prefix = ''): Promise<PackageFile[]> {
  const files: PackageFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await readTree(path, `${prefix}${entry.name}/`)));
    else files.push(await readFile(path, prefix + entry.name));
  }
  return files;
}

async function readFile(path: string, name: string): Promise<PackageFile> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw new Error(`${name} is not a regular file.`);
    return { path: name, executable: (status.mode & executeBits) !== 0, bytes: await handle.readFile() };
  } finally {
    await handle.close();
  }
}
