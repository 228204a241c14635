import type { ExperienceContent } from '@continuity/contract/experience';
import type { SkillOrigin } from '@continuity/contract/skills';
import type { SkillPackage } from '@continuity/skill-packages';
import type { OnUsage } from '../inference/index.ts';
import type { Piece } from './piece.ts';

/** Input of every generation. */
interface GenerationRequest {
  /** In the order of spec 40 §2.2. The target is none of them. */
  pieces: Piece[];
  signal: AbortSignal;
  /** Called after each answered model request. */
  onUsage?: OnUsage;
}

interface ExperienceRequest extends GenerationRequest {
  target: ExperienceContent | null;
}

interface SkillRequest extends GenerationRequest {
  origin: SkillOrigin;
  /** The package of the target. */
  target: SkillPackage | null;
}

/** A request to make another package from a snapshot of an external one. */
interface ForkRequest {
  snapshot: SkillPackage;
  /** Returns the snapshot under another name, which is a slug. @throws {InvalidPackageError} */
  rename(name: string): Promise<SkillPackage>;
  signal: AbortSignal;
  /** Called after each answered model request. */
  onUsage?: OnUsage;
}

/** Writes Experiences from the given evidence only. Has no side effects. */
export interface ExperienceGenerator {
  /** Complete and valid content, or null if the evidence says nothing new. @throws {InferenceError} and no other error */
  generate(request: ExperienceRequest): Promise<ExperienceContent | null>;
  /** The Experiences of a window of Task Outcomes. @throws {InferenceError} and no other error */
  incubate(request: GenerationRequest): Promise<IncubatedExperience[]>;
}

/** An Experience of a window. */
export interface IncubatedExperience {
  content: ExperienceContent;
  /** Indexes of the pieces that it rests on: at least one, each once, ascending. */
  evidence: number[];
}

/** Writes Skills from the given evidence only. Has no side effects. */
export interface SkillGenerator {
  /** A complete and valid package, or null if the evidence says nothing new. @throws {InferenceError} and no other error */
  generate(request: SkillRequest): Promise<SkillPackage | null>;
  /**
   * Another complete and valid package, with all other files of the snapshot, or null if there is none to make.
   * @throws {InferenceError, InvalidPackageError} and no other error
   */
  fork(request: ForkRequest): Promise<SkillPackage | null>;
}
