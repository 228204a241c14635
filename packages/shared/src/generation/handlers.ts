import type { generationOperations } from '@continuity/contract/generation';
import type { Handlers } from '@continuity/shared/handlers';
import type { GenerationDeps } from './deps.ts';
import { generateExperience, generateSkill } from './submit.ts';

export const generationHandlers: Handlers<typeof generationOperations, GenerationDeps> = {
  generate_experience: (deps, caller, { body }) => generateExperience(deps, caller, body),
  generate_skill: (deps, caller, { body }) => generateSkill(deps, caller, body),
};
