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
  type ExtractionInput,
  type Extractor,
  type StatementFinder,
} from '@continuity/shared/memory';
import type { ModelState } from './model-state.ts';

interface Extractors {
  /** The extractor of flushes: the model if configured. */
  extractor: Extractor;
  /** The fallback for a Source that the model cannot process. */
  builtIn: Extractor;
}

/** The configured extractors. */
export function chooseExtractors(
  settings: Settings,
  metrics: Metrics,
  finder: StatementFinder,
  state: ModelState,
): Extractors {
  const builtIn = createBuiltinExtractor(finder);
  const endpoint = generationEndpoint(settings, metrics, 'extraction');
  if (endpoint === undefined) return { extractor: builtIn, builtIn };
  const model = createModelExtractor(endpoint);
  const noted = (extractor: Extractor, name: 'model' | 'builtin'): Extractor => ({
    ...extractor,
    extract: async (input) => {
      const extraction = await extractor.extract(input);
      state.extractedBy(name);
      return extraction;
    },
  });
  const observed = {
    ...model,
    extract: (input: ExtractionInput) => state.observe(() => model.extract(input)),
  };
  return { extractor: noted(observed, 'model'), builtIn: noted(builtIn, 'builtin') };
}

interface Generators {
  experience: ExperienceGenerator;
  skill: SkillGenerator;
}

/** The model if configured, else the built-in rules. */
export function chooseGenerators(settings: Settings, metrics: Metrics, state: ModelState): Generators {
  const endpoint = generationEndpoint(settings, metrics, 'candidates');
  if (endpoint === undefined) {
    return { experience: createBuiltinExperienceGenerator(), skill: createBuiltinSkillGenerator() };
  }
  const experience = createModelExperienceGenerator(endpoint);
  const skill = createModelSkillGenerator(endpoint);
  return {
    experience: {
      generate: (request) => state.observe(() => experience.generate(request)),
      incubate: (request) => state.observe(() => experience.incubate(request)),
    },
    skill: {
      generate: (request) => state.observe(() => skill.generate(request)),
      fork: (request) => state.observe(() => skill.fork(request)),
    },
  };
}

/** The model if configured, else the built-in rules. */
export function chooseHandoffGenerator(
  settings: Settings,
  metrics: Metrics,
  finder: StatementFinder,
  state: ModelState,
): HandoffGenerator {
  const endpoint = generationEndpoint(settings, metrics, 'handoff');
  if (endpoint === undefined) return createBuiltinHandoffGenerator(finder);
  const model = createModelHandoffGenerator(endpoint);
  return { id: model.id, draft: (request) => state.observe(() => model.draft(request)) };
}
