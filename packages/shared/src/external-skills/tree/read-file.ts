import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';

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
