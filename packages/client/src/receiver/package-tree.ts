import type { BigIntStats } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { RemoteSkillAction } from '@continuity/contract/remote-skills';
import { maxArchiveRecords, maxPackageBytes, maxPackageFiles } from '@continuity/contract/skill-format';
import type { PackageDownload } from '@continuity/contract/skills';
import {
  admitFiles,
  decodeBase64,
  InvalidPackageError,
  openArchive,
  type PackageFile,
  sha256,
} from '@continuity/skill-packages';
import { type AgentKind, findFormatProblem } from '@continuity/skill-packages/export';
import { ActionFailure, systemCodeOf, UnexpectedEntryError } from './errors.ts';
import type { Folder } from './folder.ts';

/**
 * Verifies a downloaded package against its action, and returns the files. Throws `ActionFailure`, and `InvalidPackageError` for an archive
 * that breaks the format (spec 40 §5.2).
 */
export function openDownload(
  download: PackageDownload,
  action: RemoteSkillAction,
  agent: AgentKind,
): PackageFile[] {
  const expected = action.package;
  requireBytes(isDeepStrictEqual(download.package, expected) && expected?.tree_digest === action.tree_digest);
  const archive = decodeBase64(download.archive_base64);
  requireBytes(archive.length === expected?.archive_size);
  requireBytes(sha256(archive).toString('hex') === expected?.archive_digest);
  const { ref, files, fields } = openArchive(archive);
  requireBytes(isDeepStrictEqual(ref, expected));
  if (fields.name !== action.skill_name) {
    throw new ActionFailure(
      'incompatible',
      `The package is of the Skill ${fields.name}, not ${action.skill_name}.`,
    );
  }
  const problem = findFormatProblem(agent, fields);
  if (problem === undefined) return files;
  throw new ActionFailure('incompatible', `${agent} does not load the Skill ${fields.name}: ${problem}.`);
}

function requireBytes(isRight: boolean): void {
  if (isRight) return;
  throw new ActionFailure('delivery_failed', 'The downloaded bytes are not those of the published package.');
}

/** Writes files with their modes into an empty folder, durably. */
export async function writeTree(folder: Folder, files: readonly PackageFile[]): Promise<void> {
  await inEachFolder(folder, files, { makes: true }, async (parent, name, { bytes, executable }) => {
    const handle = await parent.createFile(name, 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.chmod(executable ? 0o755 : 0o644);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
  await folder.chmod(0o755);
}

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
 * Computes the tree digest of an entry of a folder (spec 40 §5.4); null if it is unreadable or no package. Follows no link. Returns
 * `known` while the status of all files is unchanged.
 */
export async function readDigest(
  parent: Folder | undefined,
  name: string,
  known?: KnownDigest,
): Promise<KnownDigest> {
  let folder: Folder | undefined;
  try {
    folder = await parent?.find(name);
    if (folder === undefined) throw new UnreadableTreeError();
    const entries = await listEntries(folder);
    const facts = entries.map(describe).join('\n');
    if (known?.facts === facts && Date.now() - known.readAt < reuseMs) return known;
    const digest = admitFiles(await readFiles(folder, entries), { admission: 'stored' }).ref.tree_digest;
    return { facts, digest, readAt: Date.now() };
  } catch (error) {
    const isUnreadable = [UnreadableTreeError, UnexpectedEntryError, InvalidPackageError].some(
      (kind) => error instanceof kind,
    );
    if (!isUnreadable && systemCodeOf(error) === undefined) throw error;
    return { facts: '', digest: null, readAt: 0 };
  } finally {
    await folder?.close();
  }
}

/** The current tree digest of an entry, without the cache; null if it is unreadable or no package. */
export async function digestOf(parent: Folder | undefined, name: string): Promise<string | null> {
  return (await readDigest(parent, name)).digest;
}

async function listEntries(top: Folder): Promise<ListedEntry[]> {
  const files: ListedEntry[] = [];
  let count = 0;
  const walk = async (folder: Folder, prefix: string) => {
    for (const name of await folder.list()) {
      count += 1;
      if (count > maxArchiveRecords || files.length > maxPackageFiles) throw new UnreadableTreeError();
      const status = await folder.statusOf(name);
      if (status === undefined) throw new UnreadableTreeError();
      if (!status.isDirectory()) files.push({ path: prefix + name, status });
      else await within(folder, [name], { makes: false }, (child) => walk(child, `${prefix}${name}/`));
    }
  };
  await walk(top, '');
  const bytes = files.reduce((sum, { status }) => sum + status.size, 0n);
  const isReadable = files.every(({ status }) => status.isFile() && status.nlink === 1n);
  if (!isReadable || bytes > maxPackageBytes || files.length > maxPackageFiles)
    throw new UnreadableTreeError();
  return files;
}

async function readFiles(folder: Folder, entries: readonly ListedEntry[]): Promise<PackageFile[]> {
  const files: PackageFile[] = [];
  await inEachFolder(folder, entries, { makes: false }, async (parent, name, entry) => {
    files.push(await readFile(parent, name, entry));
  });
  return files;
}

/** Reads a listed file. Throws if it has changed. */
async function readFile(folder: Folder, name: string, { path, status }: ListedEntry): Promise<PackageFile> {
  const handle = await folder.openFile(name);
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
    if (length !== Number(status.size)) throw new UnreadableTreeError();
    return { path, executable: (status.mode & executeBits) !== 0n, bytes: buffer.subarray(0, length) };
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

/** Calls `work` with the open folder and the name of each file, folder by folder. With `makes`, creates the folders, durably. */
async function inEachFolder<File extends { path: string }>(
  top: Folder,
  files: readonly File[],
  options: { makes: boolean },
  work: (parent: Folder, name: string, file: File) => Promise<void>,
): Promise<void> {
  const byFolder = new Map<string, File[]>();
  for (const file of files) {
    const parent = file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')));
    byFolder.set(parent, [...(byFolder.get(parent) ?? []), file]);
  }
  for (const [parent, inside] of byFolder) {
    const names = parent === '' ? [] : parent.split('/');
    await within(top, names, options, async (folder) => {
      for (const file of inside) await work(folder, file.path.slice(file.path.lastIndexOf('/') + 1), file);
    });
  }
}

/** Calls `work` with the folder at a path, which is open meanwhile. With `makes`, creates it, and makes its entries durable. */
async function within(
  top: Folder,
  [name, ...rest]: readonly string[],
  options: { makes: boolean },
  work: (folder: Folder) => Promise<void>,
): Promise<void> {
  if (name === undefined) {
    await work(top);
  } else {
    const folder = options.makes ? await top.make(name, 0o755) : await top.find(name);
    if (folder === undefined) throw new UnreadableTreeError();
    try {
      await within(folder, rest, options, work);
    } finally {
      await folder.close();
    }
  }
  if (options.makes) await top.sync();
}
