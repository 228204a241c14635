import { isUtf8 } from 'node:buffer';
import { drawHiddenCharacters } from '@continuity/contract/hidden-characters';
import {
  maxArchiveRecords,
  maxPackageBytes,
  maxPackageFiles,
  maxRatio,
  type PackageReason,
  ratioFreeBytes,
} from '@continuity/contract/skill-format';
import { InvalidPackageError } from '../invalid-package-error.ts';
import { type Admission, findPathProblem, hasForbiddenComponent, PathSet } from '../paths.ts';
import {
  entryName,
  findExtraField,
  hasUtf8Flag,
  isEncrypted,
  isPatched,
  pathOf,
  repackAdvice,
  unicodePathField,
  type ZipRecord,
  zip64Field,
} from './directory.ts';

export const stored = 0;
export const deflated = 8;

const backslash = '\\';

// Unix file types, in the upper four bits of the mode.
const typeMask = 0xf000;
const regularType = 0x8000;
const directoryType = 0x4000;

/** Says in words what is wrong with a record, or returns undefined. */
type Rule = (record: ZipRecord) => string | undefined;

/**
 * Checks the directory of an archive before any content is read. Each rule is checked over all records before the next one
 * (spec 40 §5.2). Throws the first refusal.
 */
export function checkRecords(records: readonly ZipRecord[], admission: Admission): void {
  requireCount(records);
  refuseFirst(records, 'unsupported_zip_feature', findUnsupportedFeature);
  refuseFirst(records, 'encrypted_entry', ({ flags }) => (isEncrypted(flags) ? 'is encrypted' : undefined));
  if (admission === 'new') refuseFirst(records, 'desktop_archive', findDesktopName);
  refuseFirst(records, 'invalid_path', (record) => findInvalidPath(record, admission));
  refuseFirst(records, 'forbidden_path', (record) =>
    hasForbiddenComponent(pathOf(record)) ? 'has a component that is not allowed in packages' : undefined,
  );
  refuseFirst(records, 'special_entry', findSpecialType);
  refuseFirst(records, 'path_collision', findCollisions());
  requireSize(records);
  refuseFirst(records, 'compression_ratio', ({ size, compressedSize }) =>
    size > ratioFreeBytes && size > maxRatio * compressedSize
      ? `is more than ${maxRatio} times as large as its compressed form: ${size} bytes from ${compressedSize}`
      : undefined,
  );
}

/** Throws for the first record that breaks a rule. */
export function refuseFirst(records: readonly ZipRecord[], reason: PackageReason, rule: Rule): void {
  for (const record of records) {
    const problem = rule(record);
    if (problem === undefined) continue;
    const entry = entryName(record);
    const named = entry === null ? 'an entry' : `"${drawHiddenCharacters(entry)}"`;
    throw new InvalidPackageError(reason, `${named} ${problem}`, { entry });
  }
}

function requireCount(records: readonly ZipRecord[]): void {
  const files = records.filter(({ isDirectory }) => !isDirectory).length;
  if (files <= maxPackageFiles && records.length <= maxArchiveRecords) return;
  throw new InvalidPackageError(
    'too_many_files',
    `must have at most ${maxPackageFiles} files and ${maxArchiveRecords} records, and has ${files} and ${records.length}`,
  );
}

function requireSize(records: readonly ZipRecord[]): void {
  const sum = records.reduce((total, { size }) => total + size, 0);
  if (sum <= maxPackageBytes) return;
  throw new InvalidPackageError(
    'package_too_large',
    `must have files of at most ${maxPackageBytes} bytes in all, and has ${sum}`,
  );
}

function findUnsupportedFeature({ extra, method, flags }: ZipRecord): string | undefined {
  if (findExtraField(extra, zip64Field) !== undefined) return `has a ZIP64 extra field. ${repackAdvice}`;
  if (method !== stored && method !== deflated) return `is compressed by method ${method}, not by 0 or 8`;
  return isPatched(flags) ? 'is patched data' : undefined;
}

/** Names as old tools of Windows write them: which characters they stand for depends on the machine. */
function findDesktopName({ name, flags }: ZipRecord): string | undefined {
  if (name.includes(backslash)) return `has a backslash in its name. ${repackAdvice}`;
  return isUtf8(name) || hasUtf8Flag(flags) ? undefined : `has a name that is not UTF-8. ${repackAdvice}`;
}

function findInvalidPath(record: ZipRecord, admission: Admission): string | undefined {
  if (!isUtf8(record.name)) return 'has a name that is not UTF-8';
  const unicodePath = findExtraField(record.extra, unicodePathField);
  // The name follows a version and a checksum.
  if (unicodePath !== undefined && !unicodePath.subarray(5).equals(record.name)) return 'has two names';
  return findPathProblem(pathOf(record), admission);
}

/** Says in words why an entry is neither a regular file nor a folder, or returns undefined. */
export function findSpecialType({
  unixMode,
  isDirectory,
  size,
}: Pick<ZipRecord, 'unixMode' | 'isDirectory' | 'size'>): string | undefined {
  const type = unixMode & typeMask;
  if (isDirectory && size !== 0) return 'is a directory with content';
  if (type === 0 || type === (isDirectory ? directoryType : regularType)) return undefined;
  return isDirectory ? 'is named as a directory and is none' : 'is not a regular file';
}

function findCollisions(): Rule {
  const paths = new PathSet();
  return (record) =>
    paths.add(pathOf(record), record.isDirectory) ? undefined : 'has the path of another entry';
}
