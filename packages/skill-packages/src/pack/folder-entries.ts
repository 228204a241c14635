import { closeSync, constants, fstatSync, lstatSync, opendirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidPackageError } from '../invalid-package-error.ts';
import { foldPath } from '../paths.ts';
import { bytesOfFile } from './archive-bytes.ts';
import { isJunk, type PackEntry } from './pack-entry.ts';

/** Entries that are listed at most: a home folder is no Skill. */
const maxEntries = 10_000;

/** Deepest folder that is listed. */
const maxDepth = 64;

/** What version control and package managers keep in a folder. */
const toolFolders = new Set(['.git', 'node_modules']);

/**
 * Lists the entries below a folder, in the order of their paths, without following a link. `.git` and `node_modules` are left out
 * (spec 70 §8.2). Throws `too_many_files` for a folder of over 10,000 entries.
 */
export function* folderEntries(root: string): Generator<PackEntry> {
  const left = { count: maxEntries };
  yield* listFolder(root, '', { depth: 1, left });
}

function* listFolder(
  root: string,
  parent: string,
  { depth, left }: { depth: number; left: { count: number } },
): Generator<PackEntry> {
  for (const name of namesIn(join(root, parent), left)) {
    const path = parent === '' ? name : `${parent}/${name}`;
    const entry = entryOf(root, path, name);
    yield entry;
    if (!entry.isDirectory || entry.isLeftOut) continue;
    if (depth >= maxDepth) throw tooMany(`has folders in over ${maxDepth} levels`);
    yield* listFolder(root, path, { depth: depth + 1, left });
  }
}

function namesIn(folder: string, left: { count: number }): string[] {
  const names: string[] = [];
  const directory = opendirSync(folder);
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      left.count -= 1;
      if (left.count < 0) throw tooMany(`has over ${maxEntries} files. Choose the folder of one Skill`);
      names.push(entry.name);
    }
  } finally {
    directory.closeSync();
  }
  return names.sort();
}

function tooMany(message: string): InvalidPackageError {
  return new InvalidPackageError('too_many_files', message);
}

function entryOf(root: string, path: string, name: string): PackEntry {
  const place = join(root, path);
  const status = lstatSync(place);
  const isDirectory = status.isDirectory();
  const isLeftOut = toolFolders.has(foldPath(name)) || isJunk(path, isDirectory);
  const isSpecial = !isDirectory && !status.isFile();
  return {
    name: isDirectory ? `${path}/` : path,
    path: path.normalize('NFC'),
    isDirectory,
    executable: (status.mode & 0o111) !== 0,
    size: isDirectory ? 0 : status.size,
    isLeftOut,
    problem: isSpecial
      ? { reason: 'special_entry', message: status.isSymbolicLink() ? 'is a link' : 'is not a regular file' }
      : undefined,
    read: () => readFile(place, path, status.size),
  };
}

/** Reads a file that must still be one, with the size that was counted. */
function readFile(place: string, path: string, size: number): Buffer {
  const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const status = fstatSync(descriptor);
    if (status.isFile() && status.size === size) return bytesOfFile(descriptor, size).read(0, size);
  } finally {
    closeSync(descriptor);
  }
  throw new InvalidPackageError('entry_mismatch', `"${path}" changed while it was read`, { entry: path });
}
