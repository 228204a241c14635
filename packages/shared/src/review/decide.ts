import type { Actor, Candidate } from '@continuity/contract/review';
import type { Database } from '@continuity/kernel/database';
import { type PreparedRevision, writeApproved } from '../artifacts/index.ts';
import { toSourceTypeRef } from '../evidence/index.ts';
import { type CandidateAddress, findHead, readCandidate, type StoredCandidate } from './candidate.ts';
import { countCandidates } from './create-candidate.ts';
import { checkTarget } from './evidence.ts';
import type { CandidateFamilies, PackageReader } from './family.ts';
import { lockPending, requirePending } from './pending.ts';

/** A decision about the version of a Candidate that somebody has read. */
export interface Decision {
  address: CandidateAddress;
  expectedVersion: number;
  actor: Actor | null;
  at: Date;
}

/** Dependencies of an approval. */
export interface ApproveDeps {
  database: Database;
  packageThreads: PackageReader;
  families: CandidateFamilies;
}

/**
 * Approves a Candidate: writes the version that was read as an Artifact revision (spec 40 §4). Everything slow comes before the
 * transaction, which holds all locks. Throws 404, 409 `candidate_terminal` and `candidate_conflict`, then 422 for the lineage,
 * 409 `artifact_conflict`, 409 `governance_conflict`; in each case nothing is written.
 */
export async function approveCandidate(
  deps: ApproveDeps,
  { address, expectedVersion, actor, at }: Decision,
): Promise<Candidate> {
  const { database } = deps;
  const head = await findHead(database, address);
  requirePending(head, expectedVersion);
  const stored = await readCandidate(database, head);
  const { tenantId, scopeKey, family, origin, candidate } = stored;
  const prepared = await checkProposed(deps, address, stored).catch(async (error: unknown) => {
    // A concurrent decision comes first: an approval moves the target of the Candidate that it approves.
    requirePending(await findHead(database, address), expectedVersion);
    throw error;
  });
  return database.prismaTransaction(async (transaction) => {
    await lockPending(transaction.sql, address, expectedVersion);
    const result = await writeApproved(transaction, {
      ...address,
      scopeKey,
      family,
      prepared,
      target: candidate.target,
      evidence: lineageOf(candidate),
    });
    await transaction.prisma.candidate.update({
      where: { tenantId_candidateId: { tenantId, candidateId: candidate.candidate_id } },
      data: {
        status: 'approved',
        resultId: result.artifact_id,
        resultRevision: result.revision,
        decidedBy: actor?.label ?? null,
        decidedAt: at,
        updatedAt: at,
      },
      select: { status: true },
    });
    const kind = { tenantId, scopeKey, family, origin };
    await countCandidates(transaction.sql, kind, { pending: -1, approved: 1 });
    return { ...candidate, status: 'approved', result_artifact: result };
  });
}

/** Checks what only an approval checks, in the order of spec 40 §4, and reads and analyzes what it writes. */
async function checkProposed(
  { database, packageThreads, families }: ApproveDeps,
  address: CandidateAddress,
  { tenantId, scopeKey, family, candidate }: StoredCandidate,
): Promise<PreparedRevision> {
  const rules = families[family].candidates;
  rules.checkLineage(candidate);
  if (candidate.target !== null) await checkTarget(database, address, rules, candidate.target);
  const place = { tenantId, scopeId: address.scopeId, scopeKey };
  const deps = { queries: database, packageThreads };
  return await rules.prepareApproved(deps, place, candidate.proposal);
}

function lineageOf({ source_refs, artifact_refs }: Candidate) {
  return {
    sources: source_refs.map(toSourceTypeRef),
    artifacts: artifact_refs,
  };
}

/** Rejects a Candidate. Throws 404, 409 `candidate_terminal` and `candidate_conflict`. */
export async function rejectCandidate(
  database: Database,
  { address, expectedVersion, actor, at }: Decision,
  reason: string,
): Promise<Candidate> {
  const head = await findHead(database, address);
  requirePending(head, expectedVersion);
  const { tenantId, scopeKey, family, origin, candidate } = await readCandidate(database, head);
  return database.prismaTransaction(async ({ sql, prisma }) => {
    await lockPending(sql, address, expectedVersion);
    await prisma.candidate.update({
      where: { tenantId_candidateId: { tenantId, candidateId: candidate.candidate_id } },
      data: {
        status: 'rejected',
        decisionReason: reason,
        decidedBy: actor?.label ?? null,
        decidedAt: at,
        updatedAt: at,
      },
      select: { status: true },
    });
    await countCandidates(sql, { tenantId, scopeKey, family, origin }, { pending: -1, rejected: 1 });
    return { ...candidate, status: 'rejected', decision_reason: reason };
  });
}
