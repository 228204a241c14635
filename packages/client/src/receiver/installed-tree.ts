import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { maxArchiveRecords, maxPackageBytes, maxPackageFiles } from '@continuity/contract/skill-format';
import { admitFiles, InvalidPackageError, type PackageFile } from '@continuity/skill-packages';
import { systemCodeOf } from './errors.ts';

const executeBits = 0o111n;

/** A tree that cannot be read as a package: too large, with a link, or changed while it was read. */
class UnreadableTreeError extends Error {}

interface ListedEntry {
  path: string;
  status: BigIntStats;
}

/** The digest of a folder at one time, and the status of its files at that time. */
export interface KnownDigest {
  facts: string;
  digest: string | null;
  readAt: number;
}

/** How long a digest is reused while names, sizes, modes, inodes and times of all files stay the same. */
const reuseMs = 600_000;

/**
 * Computes the tree digest of a folder (spec 40 §5.4); null if it is unreadable or no package. Follows no link. Returns `known` while
 * the status of all files is unchanged.
 */
export async function readDigest(folder: string, known?: KnownDigest): Promise<KnownDigest> {
  try {
    const entries = await listEntries(folder);
    const facts = entries.map(describe).join('\n');
    if (known?.facts === facts && Date.now() - known.readAt < reuseMs) return known;
    const digest = admitFiles(await readFiles(folder, entries)).ref.tree_digest;
    return { facts, digest, readAt: Date.now() };
  } catch (error) {
    const isUnreadable = error instanceof UnreadableTreeError || error instanceof InvalidPackageError;
    if (!isUnreadable && systemCodeOf(error) === undefined) throw error;
    return { facts: '', digest: null, readAt: 0 };
  }
}

async function listEntries(folder: string): Promise<ListedEntry[]> {
  const files: ListedEntry[] = [];
  let count = 0;
  const walk = async (prefix: string) => {
    if (!(await lstat(join(folder, prefix))).isDirectory()) throw new UnreadableTreeError();
    for (const name of (await readdir(join(folder, prefix))).toSorted()) {
      count += 1;
      const path = prefix + name;
      const status = await lstat(join(folder, path), { bigint: true });
      if (status.isDirectory()) await walk(`${path}/`);
      else files.push({ path, status });
      if (count > maxArchiveRecords || files.length > maxPackageFiles) throw new UnreadableTreeError();
    }
  };
  await walk('');
  const bytes = files.reduce((sum, { status }) => sum + status.size, 0n);
  const isReadable = files.every(({ status }) => status.isFile() && status.nlink === 1n);
  if (!isReadable || bytes > maxPackageBytes) throw new UnreadableTreeError();
  return files;
}

async function readFiles(folder: string, entries: readonly ListedEntry[]): Promise<PackageFile[]> {
  const real = await realpath(folder);
  const files: PackageFile[] = [];
  for (const entry of entries) files.push(await readFile(join(real, entry.path), entry));
  return files;
}

/** Reads a listed file. Throws if it has changed. `O_NONBLOCK`, because opening a FIFO would block until somebody writes to it. */
async function readFile(path: string, { path: name, status }: ListedEntry): Promise<PackageFile> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    requireSame(status, await handle.stat({ bigint: true }));
    // One byte more than expected shows that a file has grown.
    const buffer = Buffer.alloc(Number(status.size) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    requireSame(status, await handle.stat({ bigint: true }));
    // The real path shows that no parent folder was replaced by a link.
    if (length !== Number(status.size) || (await realpath(path)) !== path) throw new UnreadableTreeError();
    const executable = (status.mode & executeBits) !== 0n;
    return { path: name, executable, bytes: buffer.subarray(0, length) };
  } finally {
    await handle.close();
  }
}

function requireSame(expected: BigIntStats, actual: BigIntStats): void {
  if (factsOf(expected) !== factsOf(actual)) throw new UnreadableTreeError();
}

function describe({ path, status }: ListedEntry): string {
  return `${factsOf(status)} ${path}`;
}

function factsOf({ dev, ino, mode, nlink, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, nlink, size, mtimeNs, ctimeNs].join(' ');
}
