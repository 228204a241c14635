import type { AnswerOf } from '../api/service.ts';

export type Candidate = AnswerOf<'getArtifactCandidate'>;
/** A Candidate as lists and writes answer it: without what its package holds. */
export type BareCandidate = AnswerOf<'approveArtifactCandidate'>;
export type InboxItem = AnswerOf<'listCandidateInbox'>['items'][number];
export type CandidateVersion = AnswerOf<'listCandidateVersions'>['versions'][number];
export type Manifest = AnswerOf<'getCandidatePackageManifest'>;
export type ArtifactRef = NonNullable<Candidate['target']>;
export type SourceRef = Candidate['source_refs'][number];
export type Proposal = Candidate['proposal'];
export type ExperienceProposal = Extract<Proposal, { lesson: string }>;
export type SkillProposal = Extract<Proposal, { instructions: string }>;

/** A Candidate by its Scope and id. */
export interface Address {
  scope_id: string;
  candidate_id: string;
}

export function isSkill(proposal: Proposal): proposal is SkillProposal {
  return 'instructions' in proposal;
}

/** `experience/0199…@2` */
export function refText({ family, artifact_id, revision }: ArtifactRef): string {
  return `${family}/${artifact_id}@${revision}`;
}

export function sameRef(one: ArtifactRef, other: ArtifactRef): boolean {
  return refText(one) === refText(other);
}
