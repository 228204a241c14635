import { isUtf8 } from 'node:buffer';
import { type BigIntStats, lstatSync, opendirSync } from 'node:fs';
import {
  maxArchiveRecords,
  maxPackageBytes,
  maxPackageFiles,
  maxSkillFileBytes,
} from '@continuity/contract/skill-format';
import { entrypoint } from '@continuity/skill-packages';
import type { ListedRoot } from '../threads/tasks.ts';
import { UnreadableSkill } from './read-file.ts';

/** A file or directory, with its status during the walk. */
interface Found {
  /** Relative to the package, with `/`; empty for the package itself. */
  path: string;
  stats: BigIntStats;
}

/** The absolute path. The package itself gets no trailing slash, because the system would then follow a link. */
export function placeIn(root: string, path: string): string {
  return path === '' ? root : `${root}/${path}`;
}

interface FoundTree {
  files: Found[];
  directories: Found[];
}

/**
 * Finds the files of a package, and checks the rules that need no content (spec 40 §7). Reads no content. Throws `UnreadableSkill` for
 * a broken rule, and errors of the file system.
 */
export function walkPackage(root: string): FoundTree {
  const tree: FoundTree = { files: [], directories: [] };
  let bytes = 0n;
  const pending: Found[] = [{ path: '', stats: statDirectory(root) }];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    tree.directories.push(directory);
    for (const path of listPaths(root, directory.path)) {
      const stats = lstatSync(placeIn(root, path), { bigint: true });
      if (stats.isDirectory()) pending.push({ path, stats });
      else {
        checkFile(path, stats);
        tree.files.push({ path, stats });
        bytes += stats.size;
      }
      checkBounds(tree.files.length, tree.directories.length - 1 + pending.length, bytes);
    }
  }
  checkEntrypoint(tree.files);
  return tree;
}

function statDirectory(root: string): BigIntStats {
  const stats = lstatSync(root, { bigint: true });
  if (!stats.isDirectory()) throw new UnreadableSkill('is no directory');
  return stats;
}

/** Yields one path at a time, because a hostile directory can have millions of entries. */
function* listPaths(root: string, directory: string): Generator<string> {
  const handle = opendirSync(placeIn(root, directory), { encoding: 'buffer' as BufferEncoding });
  try {
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      const name = entry.name as unknown as Buffer;
      if (!isUtf8(name)) throw new UnreadableSkill('has a path that is not UTF-8');
      yield directory === '' ? name.toString() : `${directory}/${name.toString()}`;
    }
  } finally {
    handle.closeSync();
  }
}

function checkFile(path: string, stats: BigIntStats): void {
  if (stats.isSymbolicLink()) throw new UnreadableSkill('has a symbolic link');
  if (!stats.isFile()) throw new UnreadableSkill('has a special file');
  if (stats.nlink > 1n) throw new UnreadableSkill('has a file with several hard links');
  if (path === entrypoint && stats.size > maxSkillFileBytes) {
    throw new UnreadableSkill(`has a ${entrypoint} of more than ${maxSkillFileBytes} bytes`);
  }
}

function checkBounds(files: number, directories: number, bytes: bigint): void {
  if (files > maxPackageFiles) throw new UnreadableSkill(`has more than ${maxPackageFiles} files`);
  if (files + directories > maxArchiveRecords) {
    throw new UnreadableSkill(`has more than ${maxArchiveRecords} files and directories`);
  }
  if (bytes > maxPackageBytes) throw new UnreadableSkill(`has more than ${maxPackageBytes} bytes`);
}

function checkEntrypoint(files: readonly Found[]): void {
  if (!files.some(({ path }) => path === entrypoint)) throw new UnreadableSkill(`has no ${entrypoint}`);
}

const dot = '.'.charCodeAt(0);

/** Lists the directories directly below a root, without links and hidden ones (spec 40 §7). An unreadable root has none. */
export function listRoot(root: string): ListedRoot {
  const names: Buffer[] = [];
  let unreadable = 0;
  for (const name of directoryNames(root)) {
    if (name[0] === dot) continue;
    if (isUtf8(name)) names.push(name);
    else unreadable += 1;
  }
  return { names: names.sort(Buffer.compare).map((name) => name.toString()), unreadable };
}

function directoryNames(root: string): Buffer[] {
  const names: Buffer[] = [];
  try {
    const handle = opendirSync(root, { encoding: 'buffer' as BufferEncoding });
    try {
      for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
        if (entry.isDirectory()) names.push(entry.name as unknown as Buffer);
      }
    } finally {
      handle.closeSync();
    }
  } catch {
    return [];
  }
  return names;
}
