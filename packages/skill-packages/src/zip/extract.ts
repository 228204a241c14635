import { crc32, inflateRawSync } from 'node:zlib';
import { maxArchiveBytes } from '@continuity/contract/skill-format';
import type { PackageAdjustments } from '@continuity/contract/skills';
import type { PackageFile } from '../files.ts';
import { InvalidPackageError } from '../invalid-package-error.ts';
import type { Admission } from '../paths.ts';
import { checkRecords, refuseFirst, stored } from './check-records.ts';
import { isEncrypted, isPatched, localLength, pathOf, readDirectory, type ZipRecord } from './directory.ts';
import { mendRecords } from './mend-records.ts';

const executeBits = 0o111;

/**
 * Reads the files of an archive whose records were checked. Throws `entry_mismatch`. The content of a stored file is a view of the
 * archive. No entry is inflated by more than a byte over its declared size, and no byte of the archive is inflated twice.
 */
export function extractFiles(archive: Buffer, records: readonly ZipRecord[]): PackageFile[] {
  const overlapping = findOverlapping(records);
  const files: PackageFile[] = [];
  refuseFirst(records, 'entry_mismatch', (record) => {
    if (overlapping.has(record)) return 'overlaps another entry';
    const problem = compareHeaders(archive.subarray(record.offset, record.contentOffset), record);
    if (problem !== undefined) return problem;
    const bytes = readContent(archive.subarray(record.contentOffset, record.contentEnd), record);
    if (typeof bytes === 'string') return bytes;
    if (!record.isDirectory) {
      files.push({ path: pathOf(record), executable: (record.unixMode & executeBits) !== 0, bytes });
    }
    return undefined;
  });
  return files;
}

function findOverlapping(records: readonly ZipRecord[]): Set<ZipRecord> {
  const overlapping = new Set<ZipRecord>();
  let last: ZipRecord | undefined;
  for (const record of records.toSorted((left, right) => left.offset - right.offset)) {
    if (last !== undefined && record.offset < last.contentEnd) overlapping.add(last).add(record);
    if (last === undefined || record.contentEnd > last.contentEnd) last = record;
  }
  return overlapping;
}

/** Says in words how a local header disagrees with its record in the directory, or returns undefined. */
export function compareHeaders(
  header: Buffer,
  { name, method }: Pick<ZipRecord, 'name' | 'method'>,
): string | undefined {
  const flags = header.readUInt16LE(6);
  const nameEnd = localLength + header.readUInt16LE(26);
  if (!header.subarray(localLength, nameEnd).equals(name)) return 'has another name in its local header';
  if (header.readUInt16LE(8) !== method) return 'has another method in its local header';
  return isEncrypted(flags) || isPatched(flags) ? 'has flags of encryption in its local header' : undefined;
}

/** Returns the content of an entry from its compressed form, or what is wrong with it in words. Inflates a byte over `size` at most. */
export function readContent(
  compressed: Buffer,
  { method, size, compressedSize, crc }: Pick<ZipRecord, 'method' | 'size' | 'compressedSize' | 'crc'>,
): Buffer | string {
  if (method === stored && size !== compressedSize) return 'is stored and has two sizes';
  const content = method === stored ? compressed : inflate(compressed, size);
  if (typeof content === 'string') return content;
  return crc32(content) === crc ? content : 'has another checksum than its content';
}

function inflate(content: Buffer, size: number): Buffer | string {
  let inflated: { buffer: Buffer; engine: { bytesWritten: number } };
  try {
    // One output chunk of a byte more than declared: the content is not copied, and inflation stops there.
    inflated = inflateRawSync(content, {
      chunkSize: Math.max(64, size + 1),
      maxOutputLength: Math.max(1, size),
      info: true,
    }) as unknown as typeof inflated;
  } catch {
    return 'does not inflate to its declared size';
  }
  if (inflated.buffer.length !== size) return 'does not inflate to its declared size';
  if (inflated.engine.bytesWritten !== content.length) return 'has bytes after its compressed content';
  return inflated.buffer;
}

/** Decodes standard base64 with padding. Throws `invalid_base64` for any other spelling. */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return bytes;
  throw new InvalidPackageError('invalid_base64', 'must be standard base64 with padding');
}

/**
 * Reads the files of a ZIP archive from anywhere (spec 40 §5.2, up to `entry_mismatch`). Directory entries are checked and dropped.
 * Throws `InvalidPackageError`. Takes up to 100 ms, and memory for the archive and its 4 MiB of content.
 */
export function readForeignArchive(archive: Buffer): PackageFile[] {
  return readChecked(archive, readBoundedDirectory(archive), 'stored');
}

/** The files of an upload, and what was mended before they were checked. */
interface UploadedFiles {
  files: PackageFile[];
  adjusted: PackageAdjustments;
}

/** Reads the files of an uploaded archive as `readForeignArchive`, after it has undone what desktop tools do (spec 70 §8.1). */
export function readUploadedArchive(archive: Buffer): UploadedFiles {
  const { records, adjusted } = mendRecords(readBoundedDirectory(archive));
  return { files: readChecked(archive, records, 'new'), adjusted };
}

function readChecked(archive: Buffer, records: readonly ZipRecord[], admission: Admission): PackageFile[] {
  checkRecords(records, admission);
  return extractFiles(archive, records);
}

function readBoundedDirectory(archive: Buffer): ZipRecord[] {
  if (archive.length > maxArchiveBytes) {
    throw new InvalidPackageError(
      'archive_too_large',
      `must have at most ${maxArchiveBytes} bytes, and has ${archive.length}`,
    );
  }
  return readDirectory(archive);
}
