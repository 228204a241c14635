import { InvalidPackageError } from '../invalid-package-error.ts';

const signature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const zip64Locator = 0x07064b50;
const zip64LocatorLength = 20;
const endRecordLength = 22;
const maxComment = 0xffff;

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
  const offsets = findOffsets(archive);
  if (offsets.some((offset) => hasZip64Locator(archive, offset))) {
    throw new InvalidPackageError('unsupported_zip_feature', 'is a ZIP64 archive');
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

/** The refusal of a file that is not a well-formed ZIP archive. */
export function notZip(message: string): InvalidPackageError {
  return new InvalidPackageError('not_a_zip', message);
}

function findOffsets(archive: Buffer): number[] {
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
