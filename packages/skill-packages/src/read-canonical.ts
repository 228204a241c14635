import { createHash } from 'node:crypto';
import { readArchive } from './canonical-archive.ts';
import type { ListedFile, PackageFile } from './files.ts';
import { treeDigest } from './tree-digest.ts';

/** Bytes of one hashing step, which takes about a millisecond. */
const sliceBytes = 262_144;

/** The files and digests of a canonical archive. */
export interface CanonicalArchive {
  files: PackageFile[];
  list: ListedFile[];
  /** 64 hex digits each. */
  treeDigest: string;
  archiveDigest: string;
}

/**
 * Reads an archive that `writeArchive` wrote and computes its digests, in steps, because 4 MiB would block the event loop. Compare the
 * digests with the known ones before you use the files. Throws for bytes that are no such archive.
 */
export function* readCanonicalArchive(archive: Buffer): Generator<void, CanonicalArchive, void> {
  const archiveDigest = yield* hashSteps(archive);
  const files = readArchive(archive);
  const list: ListedFile[] = [];
  for (const { path, executable, bytes } of files) {
    list.push({ path, digest: yield* hashSteps(bytes), size: bytes.length, executable });
  }
  return { files, list, treeDigest: treeDigest(list), archiveDigest };
}

function* hashSteps(bytes: Buffer): Generator<void, string, void> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    hash.update(bytes.subarray(at, at + sliceBytes));
    yield;
  }
  return hash.digest('hex');
}
