import { isUtf8 } from 'node:buffer';
import { InvalidPackageError } from '../invalid-package-error.ts';
import { hasControlCharacter } from '../paths.ts';

const signature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
export const zip64Locator = 0x07064b50;
export const zip64LocatorLength = 20;
export const endRecordLength = 22;
export const maxComment = 0xffff;

/** The record that ends a ZIP archive. */
export interface EndRecord {
  /** Its offset. */
  offset: number;
  /** Number of the directory's records. */
  count: number;
  directoryOffset: number;
  directorySize: number;
}

/**
 * Finds the end record of an archive: the one record whose comment ends with the file. Throws `not_a_zip` for none, for several
 * and for an archive of several disks, and `unsupported_zip_feature` for ZIP64.
 */
export function findEndRecord(archive: Buffer): EndRecord {
  const offsets = findEndOffsets(archive);
  if (offsets.some((offset) => hasZip64Locator(archive, offset))) {
    throw new InvalidPackageError('unsupported_zip_feature', `is a ZIP64 archive. ${repackAdvice}`);
  }
  const [offset, ...others] = offsets;
  if (offset === undefined || others.length > 0) {
    throw notZip('must have exactly one end record, whose comment ends with the file');
  }
  const [disk, directoryDisk, countHere, count] = [4, 6, 8, 10].map((at) =>
    archive.readUInt16LE(offset + at),
  );
  if (disk !== 0 || directoryDisk !== 0) throw notZip('must not be split over several disks');
  if (count === undefined || countHere !== count) throw notZip('has an end record with two different counts');
  return {
    offset,
    count,
    directorySize: archive.readUInt32LE(offset + 12),
    directoryOffset: archive.readUInt32LE(offset + 16),
  };
}

/** What to do about an archive that the client can read and the service does not (spec 70 §8.1). */
export const repackAdvice = 'Repack it: continuity skill upload FILE';

/** The refusal of a file that is not a well-formed ZIP archive. */
export function notZip(message: string): InvalidPackageError {
  return new InvalidPackageError('not_a_zip', message);
}

/** Offsets of the end records whose comment ends with the archive; its last bytes suffice. */
export function findEndOffsets(archive: Buffer): number[] {
  const offsets: number[] = [];
  const first = Math.max(0, archive.length - endRecordLength - maxComment);
  let offset = archive.indexOf(signature, first);
  while (offset >= 0 && offset + endRecordLength <= archive.length) {
    if (offset + endRecordLength + archive.readUInt16LE(offset + 20) === archive.length) offsets.push(offset);
    offset = archive.indexOf(signature, offset + 1);
  }
  return offsets;
}

function hasZip64Locator(archive: Buffer, offset: number): boolean {
  const at = offset - zip64LocatorLength;
  return at >= 0 && archive.readUInt32LE(at) === zip64Locator;
}

export const zip64Field = 0x0001;
export const unicodePathField = 0x7075;

/** Finds an extra field of a record; undefined if it has none. A field that claims too many bytes is truncated. */
export function findExtraField(extra: Buffer, wanted: number): Buffer | undefined {
  let at = 0;
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, end);
    at = end;
  }
  return undefined;
}

// General purpose bits of a ZIP header.
const encrypted = 1 << 0;
const patched = 1 << 5;
const stronglyEncrypted = 1 << 6;
const maskedHeader = 1 << 13;
const utf8Name = 1 << 11;

/** Whether a flag says that the entry is encrypted. */
export function isEncrypted(flags: number): boolean {
  return (flags & (encrypted | stronglyEncrypted | maskedHeader)) !== 0;
}

/** Whether the tool says that the name is UTF-8. */
export function hasUtf8Flag(flags: number): boolean {
  return (flags & utf8Name) !== 0;
}

/** Whether the entry is a patch of other data. */
export function isPatched(flags: number): boolean {
  return (flags & patched) !== 0;
}

export const directorySignature = 0x02014b50;
export const localSignature = 0x04034b50;
export const directoryLength = 46;
export const localLength = 30;
const slash = 0x2f;

/** An unchecked record of the central directory of an archive. */
export interface ZipRecord {
  /** Bytes of the name. */
  name: Buffer;
  /** The name as text, mended in an upload (spec 70 §8.1); wrong if the bytes are not UTF-8. */
  text: string;
  isDirectory: boolean;
  flags: number;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  extra: Buffer;
  /** File type and permissions, if a Unix system made the record. */
  unixMode: number;
  /** Offset of the local header. */
  offset: number;
  /** Offsets of the first byte of the content and of the byte after it. */
  contentOffset: number;
  contentEnd: number;
}

/** Reads the central directory of an archive. Throws `not_a_zip` and, for ZIP64, `unsupported_zip_feature`. */
export function readDirectory(archive: Buffer): ZipRecord[] {
  const end = findEndRecord(archive);
  if (end.directoryOffset + end.directorySize !== end.offset) {
    throw notZip('has a directory that does not end where the end record begins');
  }
  if (archive.length < 4 || archive.readUInt32LE(0) !== localSignature)
    throw notZip('must begin with an entry');
  return readRecords(archive, end);
}

/** The name of a record in its archive, for a refusal; null if it cannot be shown. */
export function entryName({ name }: ZipRecord): string | null {
  const text = name.toString();
  return isUtf8(name) && !hasControlCharacter(text) ? text : null;
}

/** The path of a record: its name, that of a directory without the trailing slash. */
export function pathOf({ text, isDirectory }: ZipRecord): string {
  return isDirectory ? text.slice(0, -1) : text;
}

function readRecords(archive: Buffer, { offset: end, count, directoryOffset }: EndRecord): ZipRecord[] {
  const records: ZipRecord[] = [];
  let at = directoryOffset;
  while (at < end) {
    const { record, next } = readRecord(archive, at, end);
    if (record.contentEnd > directoryOffset)
      throw notZip('has an entry that does not lie before the directory');
    records.push(record);
    at = next;
  }
  if (at !== end || records.length !== count)
    throw notZip('has a directory of another number of records than stated');
  return records;
}

function readRecord(archive: Buffer, at: number, end: number): { record: ZipRecord; next: number } {
  if (at + directoryLength > end || archive.readUInt32LE(at) !== directorySignature) {
    throw notZip('has no directory record where one should be');
  }
  const [nameLength, extraLength, commentLength, disk] = [28, 30, 32, 34].map((field) =>
    archive.readUInt16LE(at + field),
  ) as [number, number, number, number];
  if (disk !== 0) throw notZip('must not be split over several disks');
  const nameEnd = at + directoryLength + nameLength;
  const extraEnd = nameEnd + extraLength;
  const next = extraEnd + commentLength;
  if (next > end) throw notZip('has a directory record that is truncated');
  const name = archive.subarray(at + directoryLength, nameEnd);
  const compressedSize = archive.readUInt32LE(at + 20);
  const offset = archive.readUInt32LE(at + 42);
  const contentOffset = findContent(archive, offset);
  const record = {
    name,
    text: name.toString('utf8'),
    isDirectory: name.at(-1) === slash,
    flags: archive.readUInt16LE(at + 8),
    method: archive.readUInt16LE(at + 10),
    crc: archive.readUInt32LE(at + 16),
    compressedSize,
    size: archive.readUInt32LE(at + 24),
    extra: archive.subarray(nameEnd, extraEnd),
    unixMode: archive.readUInt16LE(at + 40),
    offset,
    contentOffset,
    contentEnd: contentOffset + compressedSize,
  };
  return { record, next };
}

function findContent(archive: Buffer, offset: number): number {
  if (offset + localLength > archive.length || archive.readUInt32LE(offset) !== localSignature) {
    throw notZip('has no local header where one should be');
  }
  return offset + localLength + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
}
