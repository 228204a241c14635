export type { ExternalSkillDeps, ReadSkillsDeps } from './deps.ts';
export { externalSkillHandlers } from './handlers.ts';
export { type ConfiguredHosts, loadSkillHosts } from './hosts-file.ts';
export { runImportExternalSkill } from './import/run.ts';
export { runListExternalSkills, runResolveExternalSkill } from './list.ts';
export { runScanExternalSkills } from './scan.ts';
export { TenantHosts } from './tenant-hosts.ts';
export { SkillReaders } from './threads/skill-readers.ts';
