import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { maxArchiveBytes } from '@continuity/contract/skill-format';
import { InvalidPackageError } from '../invalid-package-error.ts';
import { deflated, findSpecialType, stored } from '../zip/check-records.ts';
import {
  directoryLength,
  directorySignature,
  endRecordLength,
  findEndOffsets,
  findExtraField,
  isEncrypted,
  isPatched,
  localLength,
  localSignature,
  maxComment,
  notZip,
  unicodePathField,
  zip64Field,
  zip64Locator,
  zip64LocatorLength,
} from '../zip/directory.ts';
import { compareHeaders, readContent } from '../zip/extract.ts';
import { mendName } from '../zip/mend-records.ts';
import type { ArchiveBytes } from './archive-bytes.ts';
import { decodeCodePage437 } from './code-page-437.ts';
import { isJunk, type PackEntry } from './pack-entry.ts';

const zip64EndSignature = 0x06064b50;
const zip64EndLength = 56;
const executeBits = 0o111;

/** Bytes of the directory in memory at a time: more than its longest record. */
const windowBytes = 1_048_576;

/** Where the directory of an archive begins and ends. */
interface DirectoryPlace {
  start: number;
  end: number;
  count: number;
}

/**
 * Lists the entries of a ZIP archive of any tool, of ZIP64 too, in the order of its directory. Backslashes separate folders, and names that
 * are not UTF-8 are read as code page 437 (spec 70 §8.2). Throws `not_a_zip`.
 */
export function* zipEntries(archive: ArchiveBytes): Generator<PackEntry> {
  const place = findDirectory(archive);
  /** Ranges of the contents that were read. */
  const taken: { start: number; end: number }[] = [];
  let count = 0;
  let windowStart = place.start;
  let window = archive.read(place.start, Math.min(place.end, place.start + windowBytes));
  for (let at = place.start; at < place.end; count += 1) {
    const have = windowStart + window.length - at;
    if (have < directoryLength || have < recordLength(window, at - windowStart)) {
      windowStart = at;
      window = archive.read(at, Math.min(place.end, at + windowBytes));
    }
    const start = at - windowStart;
    if (window.length - start < directoryLength || window.readUInt32LE(start) !== directorySignature)
      throw notZip('has no directory record where one should be');
    const length = recordLength(window, start);
    if (start + length > window.length) throw notZip('has a directory record that is truncated');
    yield entryOf(archive, Buffer.from(window.subarray(start, start + length)), { place, taken });
    at += length;
  }
  if (count !== place.count) throw notZip('has a directory of another number of records than stated');
}

function recordLength(window: Buffer, start: number): number {
  const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) => window.readUInt16LE(start + field));
  return directoryLength + name + extra + comment;
}

function findDirectory(archive: ArchiveBytes): DirectoryPlace {
  const tailStart = Math.max(0, archive.size - endRecordLength - maxComment - zip64LocatorLength);
  const tail = archive.read(tailStart, archive.size);
  const [offset, ...others] = findEndOffsets(tail);
  if (offset === undefined || others.length > 0)
    throw notZip('must have exactly one end record, whose comment ends with the file');
  const locator = offset - zip64LocatorLength;
  if (locator >= 0 && tail.readUInt32LE(locator) === zip64Locator)
    return findZip64Directory(archive, toNumber(tail.readBigUInt64LE(locator + 8)));
  const start = tail.readUInt32LE(offset + 16);
  const end = start + tail.readUInt32LE(offset + 12);
  if (end !== tailStart + offset)
    throw notZip('has a directory that does not end where the end record begins');
  return { start, end, count: tail.readUInt16LE(offset + 10) };
}

function findZip64Directory(archive: ArchiveBytes, offset: number): DirectoryPlace {
  const record = archive.read(offset, offset + zip64EndLength);
  if (record.length < zip64EndLength || record.readUInt32LE(0) !== zip64EndSignature)
    throw notZip('has no ZIP64 end record where one should be');
  const [count, size, start] = [32, 40, 48].map((at) => toNumber(record.readBigUInt64LE(at))) as [
    number,
    number,
    number,
  ];
  if (start + size !== offset) throw notZip('has a directory that does not end where the end record begins');
  return { start, end: offset, count };
}

function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw notZip('has a number that no file can have');
  return Number(value);
}

interface ReadContext {
  place: DirectoryPlace;
  taken: { start: number; end: number }[];
}

function entryOf(archive: ArchiveBytes, record: Buffer, context: ReadContext): PackEntry {
  const nameEnd = directoryLength + record.readUInt16LE(28);
  const name = record.subarray(directoryLength, nameEnd);
  const extra = record.subarray(nameEnd, nameEnd + record.readUInt16LE(30));
  const fields = {
    name,
    flags: record.readUInt16LE(8),
    method: record.readUInt16LE(10),
    crc: record.readUInt32LE(16),
    unixMode: record.readUInt16LE(40),
    ...readSizes(record, extra),
  };
  const shown = decodeName(name, extra);
  const slashed = mendName(shown.replaceAll('\\', '/'));
  const isDirectory = slashed.endsWith('/') || slashed === '';
  const path = isDirectory ? slashed.slice(0, -1) : slashed;
  return {
    name: shown,
    path,
    isDirectory,
    executable: (fields.unixMode & executeBits) !== 0,
    size: fields.size,
    isLeftOut: isJunk(path, isDirectory),
    problem: findProblem({ ...fields, isDirectory }, extra),
    read: () => readEntry(archive, { ...fields, shown }, context),
  };
}

/** Sizes and offset of a record: those that are too large for their 32 bits are in the ZIP64 extra field, in this order. */
function readSizes(record: Buffer, extra: Buffer): { size: number; compressedSize: number; offset: number } {
  const large = findExtraField(extra, zip64Field) ?? Buffer.alloc(0);
  let at = 0;
  const [size, compressedSize, offset] = [24, 20, 42].map((field) => {
    const value = record.readUInt32LE(field);
    if (value !== 0xffffffff || at + 8 > large.length) return value;
    at += 8;
    return toNumber(large.readBigUInt64LE(at - 8));
  }) as [number, number, number];
  return { size, compressedSize, offset };
}

/** Reads a name: as UTF-8, else the Unicode path of the tool if it belongs to the name, else as code page 437. */
function decodeName(name: Buffer, extra: Buffer): string {
  if (isUtf8(name)) return name.toString();
  const unicode = findExtraField(extra, unicodePathField);
  // The name follows a version and a checksum of the bytes that it stands for.
  if (unicode !== undefined && unicode.length > 5 && unicode.readUInt32LE(1) === crc32(name)) {
    const path = unicode.subarray(5);
    if (isUtf8(path)) return path.toString();
  }
  return decodeCodePage437(name);
}

type ZipFields = Parameters<typeof findSpecialType>[0] & { name: Buffer; flags: number; method: number };

function findProblem(fields: ZipFields, extra: Buffer): PackEntry['problem'] {
  const { name, flags, method } = fields;
  if (isEncrypted(flags)) return { reason: 'encrypted_entry', message: 'is encrypted' };
  const special = findSpecialType(fields);
  if (special !== undefined) return { reason: 'special_entry', message: special };
  if (isPatched(flags) || (method !== stored && method !== deflated)) {
    return { reason: 'unsupported_zip_feature', message: `is compressed by method ${method}, not by 0 or 8` };
  }
  const unicode = isUtf8(name) ? findExtraField(extra, unicodePathField) : undefined;
  if (unicode === undefined || unicode.subarray(5).equals(name)) return undefined;
  return { reason: 'invalid_path', message: 'has two names' };
}

function readEntry(
  archive: ArchiveBytes,
  record: Parameters<typeof readContent>[1] & { name: Buffer; offset: number; shown: string },
  { place, taken }: ReadContext,
): Buffer {
  const fail = (problem: string) =>
    new InvalidPackageError('entry_mismatch', `"${record.shown}" ${problem}`, { entry: record.shown });
  const start = record.offset;
  const header = archive.read(start, start + localLength);
  if (header.length < localLength || header.readUInt32LE(0) !== localSignature)
    throw notZip('has no local header where one should be');
  const contentStart = start + localLength + header.readUInt16LE(26) + header.readUInt16LE(28);
  const end = contentStart + record.compressedSize;
  if (end > place.start) throw notZip('has an entry that does not lie before the directory');
  if (record.compressedSize > maxArchiveBytes) throw fail('is larger in its compressed form than a package');
  if (taken.some((other) => start < other.end && other.start < end)) throw fail('overlaps another entry');
  taken.push({ start, end });
  const problem = compareHeaders(archive.read(start, contentStart), record);
  if (problem !== undefined) throw fail(problem);
  const content = readContent(archive.read(contentStart, end), record);
  if (typeof content === 'string') throw fail(content);
  return content;
}
