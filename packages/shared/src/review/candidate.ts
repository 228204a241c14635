import type { ArtifactRef, CandidateFamily, SourceRef } from '@continuity/contract';
import type { Candidate, CandidateOrigin, CandidateStatus, Proposal } from '@continuity/contract/review';
import type { ScopeKey, TenantId } from '@continuity/kernel/database';
import { presentArtifactRef, presentSourceRef } from '../evidence/index.ts';

/** The columns of a Candidate's row that the contract's Candidate needs. */
export interface CandidateHead {
  tenantId: TenantId;
  candidateId: string;
  scopeKey: ScopeKey;
  family: string;
  status: string;
  version: number;
  origin: string;
  targetId: string | null;
  targetRevision: number | null;
  resultId: string | null;
  resultRevision: number | null;
  decisionReason: string | null;
}

/** The row of a version. */
export interface CandidateVersion {
  version: number;
  /** Canonical JSON. */
  proposal: string;
  sourceRefs: unknown;
  artifactRefs: unknown;
  reason: string | null;
}

/** A Candidate at one of its versions. */
export interface StoredCandidate extends Pick<CandidateHead, 'tenantId' | 'scopeKey'> {
  family: CandidateFamily;
  origin: CandidateOrigin;
  candidate: Candidate;
}

/** Presents a Candidate at its current version. */
export function presentCandidate(head: CandidateHead, version: CandidateVersion): Candidate {
  return {
    ...presentVersion(head, version),
    status: head.status as CandidateStatus,
    result_artifact: resultOf(head),
    decision_reason: head.decisionReason,
  };
}

/** Presents a version as it was when it was written: pending. */
export function presentVersion(head: CandidateHead, version: CandidateVersion): Candidate {
  return {
    candidate_id: head.candidateId,
    version: version.version,
    family: head.family as CandidateFamily,
    status: 'pending',
    proposal: JSON.parse(version.proposal) as Proposal,
    source_refs: (version.sourceRefs as SourceRef[]).map(presentSourceRef),
    artifact_refs: (version.artifactRefs as ArtifactRef[]).map(presentArtifactRef),
    target: targetOf(head),
    reason: version.reason,
    result_artifact: null,
    decision_reason: null,
  };
}

/** The Artifact revision that an approval replaces; null for a new Artifact. */
export function targetOf(head: Pick<CandidateHead, 'family' | 'targetId' | 'targetRevision'>) {
  return refOf(head, head.targetId, head.targetRevision);
}

/** The Artifact revision that an approval wrote; null for a Candidate that is not approved. */
export function resultOf(head: Pick<CandidateHead, 'family' | 'resultId' | 'resultRevision'>) {
  return refOf(head, head.resultId, head.resultRevision);
}

function refOf(
  { family }: Pick<CandidateHead, 'family'>,
  artifactId: string | null,
  revision: number | null,
): ArtifactRef | null {
  if (artifactId === null || revision === null) return null;
  return { family, artifact_id: artifactId, revision };
}
