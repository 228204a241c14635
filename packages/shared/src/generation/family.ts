import type { ArtifactRef, Family, GeneratedFamily, JobPayload } from '@continuity/contract';
import type { SkillOrigin } from '@continuity/contract/skills';
import type { UsePurpose } from '@continuity/contract/usage';
import type { Settings } from '@continuity/kernel/config';
import type { Queries, ScopeKey } from '@continuity/kernel/database';
import type { EvidencePlace } from '../evidence/index.ts';
import type { OnUsage } from '../inference/index.ts';
import type { CandidateFamilies, Proposed } from '../review/index.ts';
import type { Piece } from './piece.ts';
import type { ExperienceGenerator, SkillGenerator } from './port.ts';

/** The Scope of evidence that exists. */
export type EvidencePlaceKey = EvidencePlace & { scopeKey: ScopeKey };

/** Part of the work key: requests with different generators are different work (spec 40 §2.1). `model` is null for a built-in one. */
export type GeneratorIdentity = { kind: 'builtin' | 'model'; version: string; model: string | null };

/** The settings that switch the generation of a Family on. */
export type GenerationSetting = keyof {
  [K in keyof Settings as K extends `${string}_GENERATION` ? K : never]: true;
};

/** A request for a generation, as its caller sends it. */
export type GenerationRequest = Omit<JobPayload<'generate_experience'>, 'candidate_id' | 'actor'> & {
  /** Why a Skill is generated; absent for other Families. */
  origin?: SkillOrigin;
};

/** The generators of a process. */
export interface Generators {
  experience: ExperienceGenerator;
  skill: SkillGenerator;
}

/** One run of a generator. `Target` is what it replaces; null without a target. */
export interface GenerationRun<Target> {
  request: GenerationRequest;
  /** In the order of spec 40 §2.2. */
  pieces: Piece[];
  target: Target | null;
  signal: AbortSignal;
  /** Called after each answered model request. */
  onUsage: OnUsage;
}

/** How Candidates of a Family are generated from evidence (spec 40 §2). */
export interface GenerationRules<Target = unknown> {
  readonly setting: GenerationSetting;
  readonly purpose: UsePurpose;
  /** A change of the built-in rules, or of the prompts for a model, changes the version. */
  readonly versions: { readonly builtin: string; readonly model: string };
  /** Checks the shape of the evidence. Throws 422. */
  checkRequest(request: GenerationRequest): void;
  /** True if generators read the cited Artifacts before the Sources. */
  readsArtifactsFirst(request: GenerationRequest): boolean;
  /** Reads a target that exists. */
  readTarget(queries: Queries, place: EvidencePlaceKey, target: ArtifactRef): Promise<Target>;
  /** Returns null if the evidence says nothing new. @throws {InferenceError} */
  generate(generators: Generators, run: GenerationRun<Target>): Promise<Proposed | null>;
}

/** What generation needs of every Family, as the composition root of a service provides it. */
export type GenerationFamilies = CandidateFamilies & {
  readonly [F in GeneratedFamily]: { readonly generation: GenerationRules };
} & {
  /** Renders a revision that exists as a piece of evidence. */
  readonly [F in Family]: {
    readPiece(queries: Queries, place: EvidencePlaceKey, ref: ArtifactRef): Promise<Piece>;
  };
};

/** The generator that the workers of this deployment use. */
export function configuredIdentity(
  { versions }: GenerationRules,
  { INFERENCE_GENERATION_MODEL: model }: Pick<Settings, 'INFERENCE_GENERATION_MODEL'>,
): GeneratorIdentity {
  return model === undefined
    ? { kind: 'builtin', version: versions.builtin, model: null }
    : { kind: 'model', version: versions.model, model };
}
