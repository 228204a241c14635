import type {
  ArtifactRef,
  CandidateFamily,
  Family,
  GeneratedFamily,
  SearchedFamily,
} from '@continuity/contract';
import type { Queries } from '@continuity/kernel/database';
import type { ArtifactRules, DocumentRules } from '../artifacts/index.ts';
import type { EvidencePlaceKey, GenerationRules, Piece } from '../generation/index.ts';
import type { CandidateRules } from '../review/index.ts';

/**
 * Everything that the service needs to know of a Family, besides its contract in `familyCatalog`. Which parts a Family has follows
 * from its contract.
 */
export interface FamilyRecord<F extends Family = Family> {
  /** How content is checked, stored, searched, published and presented. */
  artifacts: F extends SearchedFamily ? DocumentRules : ArtifactRules;
  /** How content is proposed, revised and approved. */
  candidates: F extends CandidateFamily ? CandidateRules : null;
  /** How content is generated from evidence. */
  generation: F extends GeneratedFamily ? GenerationRules : null;
  /** Renders a revision that exists as evidence for a generator. */
  readPiece(queries: Queries, place: EvidencePlaceKey, ref: ArtifactRef): Promise<Piece>;
}

/** The record of every Family. */
export type Families = { readonly [F in Family]: FamilyRecord<F> };
