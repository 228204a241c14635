export {
  checkSkill,
  completeSkill,
  contentOf,
  type DecidedSkill,
  decideSkill,
  loadReviewedSkill,
  proposedSkill,
  searchedText,
} from './content.ts';
export { checkSkillLineage, requireOriginShape } from './evidence-rules.ts';
export { type SkillDeps, skillHandlers } from './handlers.ts';
export { type HeadFile, readHeadFile } from './head-file.ts';
export {
  addManagedSkill,
  findLifecycleState,
  renameManagedSkill,
  requireNotRetired,
  retiredSkillMessage,
  skillTarget,
} from './managed-skills.ts';
export { readFilePart, readSummary } from './package-review.ts';
export {
  findPackage,
  loadPackage,
  type PackagePlace,
  packageRefOf,
  readDownload,
  readManifest,
  storePackage,
} from './package-store.ts';
export type { RefusedPackage } from './threads/package-thread.ts';
export { PackageThreads, packageRefused } from './threads/package-threads.ts';
