import type { ArtifactRef, CandidateFamily, SourceRef } from '@continuity/contract';
import type { Candidate, CandidateOrigin, CandidateStatus, Proposal } from '@continuity/contract/review';
import type { Queries, ScopeKey, TenantId } from '@continuity/kernel/database';
import { isServerId } from '@continuity/kernel/text';
import { presentArtifactRef, presentSourceRef } from '../evidence/index.ts';
import { findScopeKey } from '../scopes/index.ts';

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

/** The names by which a caller finds a Candidate. */
export interface CandidateAddress {
  tenantId: TenantId;
  scopeId: string;
  candidateId: string;
}

/** Reads the row of a Candidate; undefined for an unknown one. */
export async function findHead(
  { sql, prisma }: Queries,
  { tenantId, scopeId, candidateId }: CandidateAddress,
): Promise<CandidateHead | undefined> {
  if (!isServerId(candidateId)) return undefined;
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) return undefined;
  const head = await prisma.candidate.findUnique({
    where: { tenantId_candidateId: { tenantId, candidateId }, scopeKey },
  });
  return head ?? undefined;
}

/** Reads a Candidate at its current version; undefined for an unknown one. */
export async function findCandidate(
  queries: Queries,
  address: CandidateAddress,
): Promise<StoredCandidate | undefined> {
  const head = await findHead(queries, address);
  return head && (await readCandidate(queries, head));
}

/** Reads the current version of a Candidate whose row was read. */
export async function readCandidate(queries: Queries, head: CandidateHead): Promise<StoredCandidate> {
  return toStored(head, presentCandidate(head, await readVersion(queries, head, head.version)));
}

function toStored(
  { tenantId, scopeKey, family, origin }: CandidateHead,
  candidate: Candidate,
): StoredCandidate {
  return {
    tenantId,
    scopeKey,
    family: family as CandidateFamily,
    origin: origin as CandidateOrigin,
    candidate,
  };
}

/** Reads a version as it was when it was written; undefined for an unknown Candidate or version. */
export async function findVersion(
  queries: Queries,
  address: CandidateAddress,
  version: number,
): Promise<StoredCandidate | undefined> {
  const head = await findHead(queries, address);
  if (head === undefined || version > head.version) return undefined;
  return toStored(head, presentVersion(head, await readVersion(queries, head, version)));
}

/** Finds the Candidate of an equal generation, if nobody has revised or decided it; undefined without one (spec 40 §2.1). */
export async function findPendingOfWork(
  queries: Queries,
  tenantId: TenantId,
  workKey: Buffer,
): Promise<Candidate | undefined> {
  const head = await queries.prisma.candidate.findFirst({
    // A copy, because Prisma takes no bytes that threads may share.
    where: { tenantId, workKey: Buffer.from(workKey), status: 'pending', version: 1 },
  });
  if (head === null) return undefined;
  return presentCandidate(head, await readVersion(queries, head, 1));
}

function readVersion({ prisma }: Queries, { tenantId, candidateId }: CandidateHead, version: number) {
  return prisma.candidateVersion.findUniqueOrThrow({
    where: { tenantId_candidateId_version: { tenantId, candidateId, version } },
  });
}
