export { createBuiltinExperienceGenerator } from './builtin/experience.ts';
export { createBuiltinSkillGenerator } from './builtin/skill.ts';
export { readContent } from './evidence/read-evidence.ts';
export {
  configuredIdentity,
  type EvidencePlaceKey,
  type GenerationFamilies,
  type GenerationRequest,
  type GenerationRules,
  type GeneratorIdentity,
} from './family.ts';
export { runIncubateExperience, scheduleIncubations } from './incubation/run.ts';
export { createModelExperienceGenerator } from './model/experience.ts';
export { createModelSkillGenerator } from './model/skill.ts';
export { normalizePiece, type Piece, textPiece } from './piece.ts';
export type { ExperienceGenerator, SkillGenerator } from './port.ts';
export { findPendingResult, noOp, pendingOf } from './results.ts';
export { runGenerate, runGenerator } from './run.ts';
export { type GenerationDeps, generationHandlers } from './submit.ts';
