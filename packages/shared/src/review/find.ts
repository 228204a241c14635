import type { CandidateFamily } from '@continuity/contract';
import type { Candidate, CandidateOrigin } from '@continuity/contract/review';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { isServerId } from '@continuity/kernel/text';
import { findScopeKey } from '../scopes/index.ts';
import { type CandidateHead, presentCandidate, presentVersion, type StoredCandidate } from './candidate.ts';

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
