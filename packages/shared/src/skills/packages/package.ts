import type { SkillPackageRef } from '@continuity/contract/skills';
import { writeArchive } from './canonical-archive.ts';
import {
  entrypoint,
  inCanonicalOrder,
  type ListedFile,
  listFile,
  type PackageFile,
  sha256,
} from './files.ts';
import { type SkillFields, writeSkillFile } from './skill-file.ts';
import { treeDigest } from './tree-digest.ts';

/** A tree of files in its canonical form, with the fields of its `SKILL.md`. */
export interface SkillPackage {
  ref: SkillPackageRef;
  files: PackageFile[];
  list: ListedFile[];
  archive: Buffer<ArrayBuffer>;
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
    uncompressed_size: list.reduce((sum, { size }) => sum + size, 0),
    archive_size: archive.length,
  };
  return { ref, files, list, archive, says };
}

/** Builds a package of one file from the fields of a Skill (spec 40 §5.5). */
export function buildPackage(fields: SkillFields, validation: readonly string[]): SkillPackage {
  const { text, says } = writeSkillFile(fields, validation);
  return packageOf([{ path: entrypoint, executable: false, bytes: Buffer.from(text) }], says);
}
