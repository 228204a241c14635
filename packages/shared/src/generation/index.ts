export { createBuiltinExperienceGenerator, createBuiltinSkillGenerator } from './builtin/generators.ts';
export type { GenerateDeps, GenerationDeps } from './deps.ts';
export { generationHandlers } from './handlers.ts';
export { configuredIdentity } from './identity.ts';
export { runIncubateExperience } from './incubation/run.ts';
export { scheduleIncubations } from './incubation/schedule.ts';
export { createModelExperienceGenerator, type ModelGeneratorOptions } from './model/experience.ts';
export { createModelSkillGenerator } from './model/skill.ts';
export type { Piece } from './piece.ts';
export type {
  ExperienceGenerator,
  ExperienceRequest,
  ForkRequest,
  GeneratorIdentity,
  SkillGenerator,
  SkillRequest,
} from './port.ts';
export { noOp, pendingOf } from './results.ts';
export { runGenerateExperience, runGenerateSkill } from './run.ts';
export { runGenerator } from './run-generator.ts';
