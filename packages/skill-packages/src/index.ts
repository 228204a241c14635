export { readArchive } from './canonical-archive.ts';
export {
  entrypoint,
  inCanonicalOrder,
  type ListedFile,
  type PackageFile,
  sha256,
  writeFileList,
} from './files.ts';
export { InvalidPackageError } from './invalid-package-error.ts';
export { mediaTypeOf } from './media-types.ts';
export { admitFiles, buildPackage, openArchive, packageOf, type SkillPackage } from './package.ts';
export { type CanonicalArchive, readCanonicalArchive } from './read-canonical.ts';
export { renamePackage, replaceSkillFile } from './replace-skill-file.ts';
export { findFieldIssues } from './skill-file/field-rules.ts';
export type { SkillSummary } from './skill-file/read-fields.ts';
export { readSkillFile, readSkillSummary } from './skill-file/read-skill-file.ts';
export type { SkillFields } from './skill-file/skill-fields.ts';
export { writeSkillFile } from './skill-file/write-skill-file.ts';
export { treeDigest } from './tree-digest.ts';
export { decodeBase64 } from './zip/extract.ts';
