import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ListedFile, PackageFile } from './files.ts';

/** Returns the mode of a file in the canonical form (spec 40 §5.4). */
export function modeOf({ executable }: { executable: boolean }): number {
  return executable ? 0o755 : 0o644;
}

/** Returns the SHA-256 digest, in hex, of a tree of files in canonical order (spec 40 §5.4). */
export function treeDigest(files: readonly ListedFile[]): string {
  const hash = createHash('sha256').update('service.skill-package-tree.v1\0', 'latin1');
  for (const file of files) {
    const path = Buffer.from(file.path);
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(file.size));
    hash
      .update(uint32(path.length))
      .update(path)
      .update(uint32(modeOf(file)))
      .update(size);
    hash.update(Buffer.from(file.digest, 'hex'));
  }
  return hash.digest('hex');
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

// The canonical archive (spec 40 §5.4): a ZIP of uncompressed files whose bytes depend on the tree alone.

const localSignature = 0x04034b50;
const directorySignature = 0x02014b50;
const endSignature = 0x06054b50;
const localLength = 30;
const directoryLength = 46;
const endLength = 22;
/** Bit 11: names are UTF-8. */
const flags = 0x0800;
const versionNeeded = 20;
/** Unix, version 2.0. */
const versionMadeBy = 0x0314;
/** The first of January 1980. */
const date = 0x0021;
const regularFile = 0x8000;

/** Writes the archive of files that are in canonical order. */
export function writeArchive(files: readonly PackageFile[]): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.path);
    const sharedFields = writeSharedFields(file, name);
    const local = Buffer.alloc(localLength);
    local.writeUInt32LE(localSignature, 0);
    local.writeUInt16LE(versionNeeded, 4);
    sharedFields.copy(local, 6);
    parts.push(local, name, file.bytes);
    directory.push(directoryRecord(file, sharedFields, offset), name);
    offset += localLength + name.length + file.bytes.length;
  }
  const end = Buffer.alloc(endLength);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** Fields that both headers of a file share: flags, method, time, date, checksum, both sizes, lengths of name and extra field. */
function writeSharedFields({ bytes }: PackageFile, name: Buffer): Buffer {
  const sharedFields = Buffer.alloc(24);
  sharedFields.writeUInt16LE(flags, 0);
  sharedFields.writeUInt16LE(date, 6);
  sharedFields.writeUInt32LE(crc32(bytes), 8);
  sharedFields.writeUInt32LE(bytes.length, 12);
  sharedFields.writeUInt32LE(bytes.length, 16);
  sharedFields.writeUInt16LE(name.length, 20);
  return sharedFields;
}

function directoryRecord(file: PackageFile, sharedFields: Buffer, offset: number): Buffer {
  const record = Buffer.alloc(directoryLength);
  record.writeUInt32LE(directorySignature, 0);
  record.writeUInt16LE(versionMadeBy, 4);
  record.writeUInt16LE(versionNeeded, 6);
  sharedFields.copy(record, 8);
  record.writeUInt32LE(((regularFile | modeOf(file)) << 16) >>> 0, 38);
  record.writeUInt32LE(offset, 42);
  return record;
}

/**
 * Reads the files of an archive that `writeArchive` wrote. It validates nothing: use `openArchive` for any other archive. The
 * contents are views of the archive.
 */
export function readArchive(archive: Buffer): PackageFile[] {
  const end = archive.length - endLength;
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    const nameLength = archive.readUInt16LE(at + 28);
    const size = archive.readUInt32LE(at + 24);
    const executable = ((archive.readUInt32LE(at + 38) >>> 16) & 0o111) !== 0;
    const content = archive.readUInt32LE(at + 42) + localLength + nameLength;
    const path = archive.toString('utf8', at + directoryLength, at + directoryLength + nameLength);
    at += directoryLength + nameLength;
    return { path, executable, bytes: archive.subarray(content, content + size) };
  });
}

/** Where the content of a file begins in the canonical archive of `list`, which is in canonical order. */
export function contentOffset(list: readonly ListedFile[], file: ListedFile): number {
  const lengthBefore = ({ path, size }: ListedFile) => localLength + Buffer.byteLength(path) + size;
  const before = list.slice(0, list.indexOf(file)).reduce((sum, one) => sum + lengthBefore(one), 0);
  return before + localLength + Buffer.byteLength(file.path);
}

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
