import {
  maxFileListBytes,
  maxPackageBytes,
  maxPackageFiles,
  type PackageReason,
} from '@continuity/contract/skill-format';
import type { SkillPackageRef } from '@continuity/contract/skills';
import { writeArchive } from './canonical-archive.ts';
import { PathSet } from './collisions.ts';
import {
  entrypoint,
  inCanonicalOrder,
  type ListedFile,
  listFile,
  type PackageFile,
  sha256,
  writeFileList,
} from './files.ts';
import { findPathProblem, hasForbiddenComponent, holdsControl } from './paths.ts';
import { PackageRefusal } from './refusal.ts';
import { readSkillFile } from './skill-file/read-skill-file.ts';
import type { SkillFields } from './skill-file/skill-fields.ts';
import { writeSkillFile } from './skill-file/write-skill-file.ts';
import { treeDigest } from './tree-digest.ts';
import { readForeignArchive } from './zip/read-archive.ts';

/** A tree of files in its canonical form, with the fields of its `SKILL.md`. */
export interface SkillPackage {
  ref: SkillPackageRef;
  files: PackageFile[];
  list: ListedFile[];
  archive: Buffer;
  says: SkillFields;
}

/** Brings a tree into its canonical form (spec 40 §5.4), which is equal for equal trees. The caller has checked paths and bounds. */
export function packageOf(tree: readonly PackageFile[], says: SkillFields): SkillPackage {
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
  return { ref, files, list, archive, says };
}

/** Builds a package of one file from the fields of a Skill (spec 40 §5.5). */
export function buildPackage(fields: SkillFields, validation: readonly string[]): SkillPackage {
  const { text, says } = writeSkillFile(fields, validation);
  return packageOf([{ path: entrypoint, executable: false, bytes: Buffer.from(text) }], says);
}

/**
 * Makes a package of files whose paths have been checked: its fields are those of its `SKILL.md`. Throws `PackageRefusal` for a bound
 * that the tree breaks (spec 40 §5.1) and for an invalid `SKILL.md` (§5.3).
 */
export function admitTree(tree: readonly PackageFile[]): SkillPackage {
  if (tree.length > maxPackageFiles) {
    throw new PackageRefusal('too_many_files', `must have at most ${maxPackageFiles} files`);
  }
  if (sizeOf(tree) > maxPackageBytes) {
    throw new PackageRefusal('package_too_large', `has files of more than ${maxPackageBytes} bytes in all`);
  }
  const skillFile = tree.find(({ path }) => path === entrypoint);
  if (skillFile === undefined)
    throw new PackageRefusal('missing_entrypoint', `must have ${entrypoint} at its root`);
  const admitted = packageOf(tree, readSkillFile(skillFile.bytes));
  if (Buffer.byteLength(writeFileList(admitted.list)) > maxFileListBytes) {
    throw new PackageRefusal('manifest_too_large', `has a file list of more than ${maxFileListBytes} bytes`);
  }
  return admitted;
}

/**
 * Makes a package of the files of a folder. Throws `PackageRefusal` for a path that may be in no package (spec 40 §5.2), and as
 * `admitTree`.
 */
export function admitFiles(files: readonly PackageFile[]): SkillPackage {
  const paths = new PathSet();
  for (const { path } of files) {
    const problem = findPathProblem(path);
    if (problem !== undefined) refusePath('invalid_path', path, problem);
    if (hasForbiddenComponent(path)) {
      refusePath('forbidden_path', path, 'has a component that is not allowed in packages');
    }
    if (!paths.add(path, false)) refusePath('path_collision', path, 'has the path of another entry');
  }
  return admitTree(files);
}

function refusePath(reason: PackageReason, path: string, problem: string): never {
  const entry = holdsControl(path) ? null : path;
  throw new PackageRefusal(reason, `${entry === null ? 'an entry' : `"${entry}"`} ${problem}`, { entry });
}

/** Opens a ZIP archive from anywhere (spec 40 §5.2). Throws `PackageRefusal`. Its memory is bounded: see `readForeignArchive`. */
export function openArchive(archive: Buffer): SkillPackage {
  return admitTree(readForeignArchive(archive));
}

function sizeOf(files: readonly PackageFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
