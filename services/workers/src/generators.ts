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
import {
  createBuiltinHandoffGenerator,
  createModelHandoffGenerator,
  type HandoffGenerator,
} from '@continuity/shared/handoff/generation';
import { generationEndpoint } from '@continuity/shared/inference';
import {
  createBuiltinExtractor,
  createModelExtractor,
  type Extractor,
  type StatementFinder,
} from '@continuity/shared/memory';

interface Extractors {
  /** The extractor of flushes: the model if configured. */
  extractor: Extractor;
  /** The fallback for a Source that the model cannot process. */
  builtIn: Extractor;
}

/** The configured extractors. */
export function chooseExtractors(settings: Settings, metrics: Metrics, finder: StatementFinder): Extractors {
  const builtIn = createBuiltinExtractor(finder);
  const endpoint = generationEndpoint(settings, metrics, 'extraction');
  return { extractor: endpoint === undefined ? builtIn : createModelExtractor(endpoint), builtIn };
}

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

/** The model if configured, else the built-in rules. */
export function chooseHandoffGenerator(
  settings: Settings,
  metrics: Metrics,
  finder: StatementFinder,
): HandoffGenerator {
  const endpoint = generationEndpoint(settings, metrics, 'handoff');
  return endpoint === undefined
    ? createBuiltinHandoffGenerator(finder)
    : createModelHandoffGenerator(endpoint);
}
