export { checkSkill, completeSkill, contentOf, type DecidedSkill, decideSkill } from './decide-content.ts';
export {
  addManagedSkill,
  findLifecycleState,
  renameManagedSkill,
  requireNotRetired,
} from './managed-skills.ts';
export { searchedText } from './searched-text.ts';
export { loadPackage, type PackagePlace, storePackage } from './store.ts';
