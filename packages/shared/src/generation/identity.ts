import type { CandidateFamily } from '@continuity/contract';
import type { Settings } from '@continuity/kernel/config';
import type { GeneratorIdentity } from './port.ts';

/** The built-in generators. A change of their rules changes the version. */
export const builtinIdentity = {
  experience: { kind: 'builtin', version: 'service.experience.extract.v1', model: null },
  skill: { kind: 'builtin', version: 'service.skill.extract.v1', model: null },
} as const satisfies Record<CandidateFamily, GeneratorIdentity>;

/** The generators over a model. A change of their prompts changes the version. */
const modelVersion = {
  experience: 'service.experience.model.v1',
  skill: 'service.skill.model.v1',
} as const satisfies Record<CandidateFamily, string>;

/** The generator over a model; `model` is the model's name. */
export function modelIdentity(family: CandidateFamily, model: string): GeneratorIdentity {
  return { kind: 'model', version: modelVersion[family], model };
}

/** The generator that the workers of this deployment use. */
export function configuredIdentity(
  family: CandidateFamily,
  { INFERENCE_GENERATION_MODEL: model }: Pick<Settings, 'INFERENCE_GENERATION_MODEL'>,
): GeneratorIdentity {
  return model === undefined ? builtinIdentity[family] : modelIdentity(family, model);
}
