import { maxArchiveBytes } from '@continuity/contract/skill-format';
import type { PackageFile } from '../files.ts';
import { InvalidPackageError } from '../invalid-package-error.ts';
import { checkRecords } from './check-records.ts';
import { readDirectory } from './directory.ts';
import { extractFiles } from './extract.ts';

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
  if (archive.length > maxArchiveBytes) {
    throw new InvalidPackageError('archive_too_large', `must have at most ${maxArchiveBytes} bytes`);
  }
  const records = readDirectory(archive);
  checkRecords(records);
  return extractFiles(archive, records);
}
