import type { Settings } from '@continuity/kernel/config';
import type { Metrics } from '@continuity/kernel/telemetry';
import {
  createBuiltinExperienceGenerator,
  createBuiltinSkillGenerator,
  createModelExperienceGenerator,
  createModelSkillGenerator,
  type ExperienceGenerator,
  type SkillGenerator,
} from '@continuity/shared/generation';
import { generationEndpoint } from '@continuity/shared/inference';

interface Generators {
  experience: ExperienceGenerator;
  skill: SkillGenerator;
}

/** The model if configured, else the built-in rules. */
export function chooseGenerators(settings: Settings, metrics: Metrics): Generators {
  const endpoint = generationEndpoint(settings, metrics, 'candidates');
  if (endpoint === undefined) {
    return { experience: createBuiltinExperienceGenerator(), skill: createBuiltinSkillGenerator() };
  }
  return {
    experience: createModelExperienceGenerator(endpoint),
    skill: createModelSkillGenerator(endpoint),
  };
}
