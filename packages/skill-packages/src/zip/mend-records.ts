import { maxArchiveRecords, maxPathBytes } from '@continuity/contract/skill-format';
import type { PackageAdjustments } from '@continuity/contract/skills';
import { entrypoint } from '../files.ts';
import { cutEntryName } from '../invalid-package-error.ts';
import { findFolderProblem } from '../paths.ts';
import type { ZipRecord } from './directory.ts';

/** Names that are listed at most; the count has all. */
const maxLeftOut = 64;

/** Longest name of a folder that is taken off, in characters. */
const maxFolder = 255;

/** Bytes of the longest name that is normalized: composing shortens a name to a third at most, and takes quadratic time. */
const maxNormalizedBytes = 3 * maxPathBytes;

const junkNames = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Whether a desktop, and not the author, has put the path into an archive or a folder (spec 70 §8.1). A folder ends with `/`. */
export function isDesktopJunk(path: string): boolean {
  const components = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  const last = components.at(-1) ?? '';
  return components[0] === '__MACOSX' || junkNames.has(last) || last.startsWith('._');
}

/** Takes a leading `./` off a name, and composes it (NFC). A name that is too long for a package stays as it is. */
export function mendName(name: string): string {
  const relative = name.startsWith('./') ? name.slice(2) : name;
  return Buffer.byteLength(relative) <= maxNormalizedBytes ? relative.normalize('NFC') : relative;
}

/**
 * Undoes what desktop tools do to an archive (spec 70 §8.1): leaves out their own files, composes names, and takes off the one folder that
 * holds the package. Checks nothing else.
 */
export function mendRecords(records: readonly ZipRecord[]): {
  records: ZipRecord[];
  adjusted: PackageAdjustments;
} {
  const kept: ZipRecord[] = [];
  const leftOut: string[] = [];
  let leftOutCount = 0;
  for (const record of records) {
    const relative = record.text.startsWith('./') ? record.text.slice(2) : record.text;
    if (isDesktopJunk(relative)) {
      leftOutCount += 1;
      if (leftOut.length < maxLeftOut) leftOut.push(cutEntryName(record.text));
      // The root itself.
    } else if (record.text !== './') kept.push(record);
  }
  // More are refused, whatever their names.
  const mended =
    kept.length > maxArchiveRecords
      ? kept
      : kept.map((record) => ({ ...record, text: mendName(record.text) }));
  const folder = findPackageFolder(mended.map(({ text }) => text));
  return {
    records: folder === undefined ? mended : withoutFolder(mended, folder),
    adjusted: { left_out: leftOut, left_out_count: leftOutCount, removed_folder: folder ?? null },
  };
}

/** The folder that all names lie below and that has the `SKILL.md`; undefined if there is none. */
function findPackageFolder(names: readonly string[]): string | undefined {
  const [folder = '', ...rest] = names[0]?.split('/') ?? [];
  if (rest.length === 0 || [...folder].length > maxFolder) return undefined;
  // A folder such as `..` or `.git` is no wrapper; its paths are refused.
  if (findFolderProblem(folder) !== undefined) return undefined;
  const prefix = `${folder}/`;
  const isWrapper =
    names.every((name) => name.startsWith(prefix)) && names.includes(`${prefix}${entrypoint}`);
  return isWrapper ? folder : undefined;
}

function withoutFolder(records: readonly ZipRecord[], folder: string): ZipRecord[] {
  const start = folder.length + 1;
  return records
    .filter(({ text }) => text.length > start)
    .map((record) => ({ ...record, text: record.text.slice(start) }));
}
