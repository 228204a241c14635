export {
  type CanonicalArchive,
  contentOffset,
  readArchive,
  readCanonicalArchive,
  treeDigest,
  writeArchive,
} from './canonical-archive.ts';
export {
  entrypoint,
  inCanonicalOrder,
  type ListedFile,
  mediaTypeOf,
  type PackageFile,
  sha256,
  textOf,
  writeFileList,
} from './files.ts';
export { InvalidPackageError } from './invalid-package-error.ts';
export {
  admitFiles,
  buildPackage,
  openArchive,
  openUpload,
  packageOf,
  renamePackage,
  replaceSkillFile,
  type SkillPackage,
} from './package.ts';
export type { SkillFields, SkillSummary } from './skill-file/fields.ts';
export { findFieldIssues, readSkillFile, readSkillSummary, writeSkillFile } from './skill-file/skill-file.ts';
export { summarizePackage } from './summarize-package.ts';
export { decodeBase64 } from './zip/extract.ts';
