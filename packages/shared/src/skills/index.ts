export { checkSkill, completeSkill, contentOf, type DecidedSkill, decideSkill } from './decide-content.ts';
export { loadReviewedSkill } from './load-skill.ts';
export {
  addManagedSkill,
  findLifecycleState,
  renameManagedSkill,
  requireNotRetired,
  retiredSkillMessage,
} from './managed-skills.ts';
export { readDownload, readManifest } from './package-answers.ts';
export { searchedText } from './searched-text.ts';
export {
  findPackage,
  loadPackage,
  type PackagePlace,
  packageRefOf,
  storePackage,
} from './store.ts';
export { PackageThreads, packageRefused } from './threads/package-threads.ts';
export type { RefusedPackage } from './threads/tasks.ts';
