import { dirname } from 'node:path/posix';
import { drawHiddenCharacters } from '@continuity/contract/hidden-characters';
import {
  maxFileListBytes,
  maxPackageBytes,
  maxPackageFiles,
  type PackageReason,
} from '@continuity/contract/skill-format';
import type { PackageAdjustments, SkillPackageRef } from '@continuity/contract/skills';
import { treeDigest, writeArchive } from './canonical-archive.ts';
import {
  entrypoint,
  inCanonicalOrder,
  type ListedFile,
  listFile,
  type PackageFile,
  sha256,
  writeFileList,
} from './files.ts';
import { InvalidPackageError } from './invalid-package-error.ts';
import {
  type Admission,
  findPathProblem,
  foldPath,
  hasControlCharacter,
  hasForbiddenComponent,
  PathSet,
} from './paths.ts';
import type { SkillFields } from './skill-file/fields.ts';
import { readSkillFile, renameSkillFile, writeSkillFile } from './skill-file/skill-file.ts';
import { readForeignArchive, readUploadedArchive } from './zip/extract.ts';

/** A tree of files in its canonical form, with the fields of its `SKILL.md`. */
export interface SkillPackage {
  ref: SkillPackageRef;
  files: PackageFile[];
  list: ListedFile[];
  archive: Buffer;
  /** The fields of `SKILL.md`. */
  fields: SkillFields;
}

/** Brings a tree into its canonical form (spec 40 §5.4), which is equal for equal trees. The caller has checked paths and bounds. */
export function packageOf(tree: readonly PackageFile[], fields: SkillFields): SkillPackage {
  const files = inCanonicalOrder(tree);
  const list = files.map(listFile);
  const archive = writeArchive(files);
  const ref = {
    tree_digest: treeDigest(list),
    archive_digest: sha256(archive).toString('hex'),
    file_count: files.length,
    uncompressed_size: sizeOf(files),
    archive_size: archive.length,
  };
  return { ref, files, list, archive, fields };
}

/** Builds a package of one file from the fields of a Skill (spec 40 §5.5). */
export function buildPackage(fields: SkillFields, validation: readonly string[]): SkillPackage {
  const written = writeSkillFile(fields, validation);
  return packageOf(
    [{ path: entrypoint, executable: false, bytes: Buffer.from(written.text) }],
    written.fields,
  );
}

/** How a package is admitted. */
interface AdmitOptions {
  admission: Admission;
  /** Name of the directory that the files are read from; the name of the Skill must be equal to it. */
  directoryName?: string | undefined;
}

/**
 * Makes a package of files whose paths have been checked: its fields are those of its `SKILL.md`. Throws `InvalidPackageError` for a bound
 * that the tree breaks (spec 40 §5.1), for a second `SKILL.md` in a new package, and for an invalid one (spec 40 §5.3).
 */
export function admitTree(
  tree: readonly PackageFile[],
  { admission, directoryName }: AdmitOptions,
): SkillPackage {
  if (tree.length > maxPackageFiles) {
    throw new InvalidPackageError(
      'too_many_files',
      `must have at most ${maxPackageFiles} files, and has ${tree.length}`,
    );
  }
  const size = sizeOf(tree);
  if (size > maxPackageBytes) {
    throw new InvalidPackageError(
      'package_too_large',
      `must have files of at most ${maxPackageBytes} bytes in all, and has ${size}`,
    );
  }
  const skillFile = tree.find(({ path }) => path === entrypoint);
  if (skillFile === undefined)
    throw new InvalidPackageError('missing_entrypoint', missingEntrypoint(tree.map(({ path }) => path)));
  if (admission === 'new') refuseSecondSkillFile(tree);
  const fields = readSkillFile(skillFile.bytes);
  if (fields.name !== (directoryName ?? fields.name)) {
    const fault = { entry: entrypoint, field: 'name' } as const;
    throw new InvalidPackageError(
      'invalid_entrypoint',
      `${entrypoint}: name must be that of its directory`,
      fault,
    );
  }
  const admitted = packageOf(tree, fields);
  const listBytes = Buffer.byteLength(writeFileList(admitted.list));
  if (listBytes > maxFileListBytes) {
    throw new InvalidPackageError(
      'manifest_too_large',
      `must have a file list of at most ${maxFileListBytes} bytes, and has one of ${listBytes}`,
    );
  }
  return admitted;
}

/** Says which file or folder the author may have meant. */
export function missingEntrypoint(paths: readonly string[]): string {
  const required = `must have ${entrypoint} at its root`;
  const misspelled = paths.find((path) => foldPath(path) === foldedEntrypoint);
  if (misspelled !== undefined) return `${required}, and has ${misspelled}. Rename it to ${entrypoint}`;
  const folders = paths.filter((path) => path.endsWith(`/${entrypoint}`)).map((path) => dirname(path));
  if (folders.length === 0) return required;
  const named = folders.slice(0, maxNamedFolders).map((folder) => `"${drawHiddenCharacters(folder)}"`);
  const rest = folders.length - named.length;
  return `${required}, and has one in ${named.join(', ')}${rest === 0 ? '' : ` and ${rest} more folders`}`;
}

/** Agents that walk folders load a nested `SKILL.md`, in any case, as a Skill of its own, which nobody has reviewed as one. */
function refuseSecondSkillFile(tree: readonly PackageFile[]): void {
  const second = tree.find(
    ({ path }) => path !== entrypoint && foldPath(path.slice(path.lastIndexOf('/') + 1)) === foldedEntrypoint,
  );
  if (second === undefined) return;
  throw new InvalidPackageError(
    'invalid_entrypoint',
    `"${second.path}" is a second ${entrypoint}; a package has one, at its root`,
    { entry: second.path },
  );
}

/** Folders that a message names at most. */
const maxNamedFolders = 3;

const foldedEntrypoint = foldPath(entrypoint);

/**
 * Makes a package of the files of a folder. Each path rule is checked over all files before the next one (spec 40 §5.2). Throws
 * `InvalidPackageError`, also as `admitTree`.
 */
export function admitFiles(tree: readonly PackageFile[], options: AdmitOptions): SkillPackage {
  const files = inCanonicalOrder(tree);
  const paths = files.map(({ path }) => path);
  const taken = new PathSet();
  refuseFirstPath(paths, 'invalid_path', (path) => findPathProblem(path, options.admission));
  refuseFirstPath(paths, 'forbidden_path', (path) =>
    hasForbiddenComponent(path) ? 'has a component that is not allowed in packages' : undefined,
  );
  refuseFirstPath(paths, 'path_collision', (path) =>
    taken.add(path, false) ? undefined : 'has the path of another file',
  );
  return admitTree(files, options);
}

function refuseFirstPath(
  paths: readonly string[],
  reason: PackageReason,
  findProblem: (path: string) => string | undefined,
): void {
  for (const path of paths) {
    const problem = findProblem(path);
    if (problem === undefined) continue;
    const entry = hasControlCharacter(path) ? null : path;
    const file = entry === null ? 'a file' : `"${drawHiddenCharacters(entry)}"`;
    throw new InvalidPackageError(reason, `${file} ${problem}`, { entry });
  }
}

/**
 * Opens a ZIP archive that the service has handed out (spec 40 §5.2). Throws `InvalidPackageError`. Its memory is bounded: see
 * `readForeignArchive`.
 */
export function openArchive(archive: Buffer): SkillPackage {
  return admitTree(readForeignArchive(archive), { admission: 'stored' });
}

/** Opens an archive that somebody uploads, as `openArchive`. Undoes what desktop tools do, and says what (spec 70 §8.1). */
export function openUpload(archive: Buffer): SkillPackage & { adjusted: PackageAdjustments } {
  const { files, adjusted } = readUploadedArchive(archive);
  return { ...admitTree(files, { admission: 'new' }), adjusted };
}

function sizeOf(files: readonly PackageFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Replaces the `SKILL.md` of a tree and returns its package. Throws `InvalidPackageError` if the tree breaks a bound. */
export function replaceSkillFile(files: readonly PackageFile[], text: string): SkillPackage {
  const bytes = Buffer.from(text);
  const replaced = files.map((file) => (file.path === entrypoint ? { ...file, bytes } : file));
  // The other files come from a package that was admitted.
  return admitTree(replaced, { admission: 'stored' });
}

/** Renames the Skill of a tree and returns its package. `name` is a slug. Throws `InvalidPackageError` if the tree breaks a bound. */
export function renamePackage(files: readonly PackageFile[], name: string): SkillPackage {
  const skillFile = files.find(({ path }) => path === entrypoint);
  if (skillFile === undefined) throw new Error('A package without its SKILL.md cannot be renamed.');
  return replaceSkillFile(files, renameSkillFile(skillFile.bytes.toString(), name));
}
