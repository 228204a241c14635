import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import {
  maxArchiveRecords,
  maxPackageBytes,
  maxPackageFiles,
  maxSkillFileBytes,
} from '@continuity/contract/skill-format';
import { entrypoint, inCanonicalOrder, type PackageFile, treeDigest } from '@continuity/skill-packages';

/** Why a directory is no External Skill, without a trailing full stop, and where in its `SKILL.md`. */
export interface ReadFault {
  message: string;
  line: number | null;
  column: number | null;
}

/** A fault without a place. */
export function faultOf(message: string): ReadFault {
  return { message, line: null, column: null };
}

/** The directories below a root. */
export interface ListedRoot {
  /** Names in byte order. */
  names: string[];
  /** Directories whose names are not UTF-8. */
  unreadable: number;
}

/** A directory is no External Skill, or changed while it was read. The message says why, without a trailing full stop. */
export class UnreadableSkill extends Error {
  override name = 'UnreadableSkill';
}

/** Size of one read, in bytes. */
const pieceBytes = 262_144;
const piece = Buffer.allocUnsafe(pieceBytes);

/** `O_NONBLOCK`, because a FIFO in the place of the file would block until somebody writes to it. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** On Linux, the real path of each open file, even after a rename. */
const openFiles = '/proc/self/fd';
const hasOpenFiles = existsSync(openFiles);

interface ReadFile {
  /** SHA-256 of the content, 64 hex digits. */
  digest: string;
  /** The content, if it was asked for. */
  bytes: Buffer | undefined;
}

/**
 * Reads a regular file once, in pieces. Reads no byte unless it is still the file of `stats` and lies at `path`, which has no links.
 * Reads at most one piece more than the size in `stats`. Throws `UnreadableSkill`, and errors of the file system.
 */
export function readFoundFile(path: string, stats: BigIntStats, keep: boolean): ReadFile {
  const file = openSync(path, openFlags);
  try {
    if (!isSameFile(fstatSync(file, { bigint: true }), stats) || pathOf(file, path) !== path) throw changed();
    return readOpenFile(file, Number(stats.size), keep);
  } finally {
    closeSync(file);
  }
}

function readOpenFile(file: number, size: number, keep: boolean): ReadFile {
  const hash = createHash('sha256');
  const bytes = keep ? Buffer.alloc(size) : undefined;
  let length = 0;
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
    if (length + read > size) throw changed();
    const content = piece.subarray(0, read);
    hash.update(content);
    bytes?.set(content, length);
    length += read;
  }
  if (length !== size) throw changed();
  return { digest: hash.digest('hex'), bytes };
}

/** Whether both are one inode of the same type with the same number of links. */
function isSameFile(left: BigIntStats, right: BigIntStats): boolean {
  return (
    left.dev === right.dev && left.ino === right.ino && left.mode === right.mode && left.nlink === right.nlink
  );
}

/** Whether nothing has been written to a file or directory since `before`. */
export function isUnchanged(now: BigIntStats, before: BigIntStats): boolean {
  return (
    isSameFile(now, before) &&
    now.size === before.size &&
    now.mtimeNs === before.mtimeNs &&
    now.ctimeNs === before.ctimeNs
  );
}

function pathOf(file: number, path: string): string {
  return hasOpenFiles ? readlinkSync(`${openFiles}/${file}`) : realpathSync.native(path);
}

/** The error of a package that changes while it is read. */
export function changed(): UnreadableSkill {
  return new UnreadableSkill('changed while it was read');
}

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
    throw new UnreadableSkill(`has a ${entrypoint} of ${stats.size} bytes, more than ${maxSkillFileBytes}`);
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

/** The content of a directory at one moment. */
interface ReadTree {
  /** As the `tree_digest` of a package (spec 40 §5.4), with paths as they are. 64 hex digits. */
  fingerprint: string;
  /** The files whose content was asked for. */
  kept: PackageFile[];
}

/**
 * Reads each file of a package once. `root` is its absolute path, without links. Throws `UnreadableSkill` if a file or directory changed
 * meanwhile, so that no mixture of two states gets a fingerprint. Throws errors of the file system, too.
 */
export function readTree(root: string, isKept: (path: string) => boolean): ReadTree {
  const { files, directories } = walkPackage(root);
  const read = files.map(({ path, stats }) => {
    const { digest, bytes } = readFoundFile(placeIn(root, path), stats, isKept(path));
    return { path, executable: (stats.mode & 0o111n) !== 0n, digest, size: Number(stats.size), bytes };
  });
  for (const { path, stats } of [...files, ...directories]) {
    if (!isUnchanged(lstatSync(placeIn(root, path), { bigint: true }), stats)) throw changed();
  }
  const kept = read.flatMap(({ path, executable, bytes }) => (bytes ? [{ path, executable, bytes }] : []));
  return { fingerprint: treeDigest(inCanonicalOrder(read)), kept };
}
