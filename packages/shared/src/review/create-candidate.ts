import type { Actor, Candidate, CandidateOrigin, Evidence } from '@continuity/contract/review';
import type { PrismaTransaction, ScopeKey, TenantId } from '@continuity/kernel/database';
import type { ProposedContent } from '../artifacts/index.ts';
import { presentVersion } from './candidate.ts';
import { storeProposal } from './content.ts';
import { countCandidates } from './count-candidates.ts';

/** A Candidate to create. */
export interface NewCandidate {
  tenantId: TenantId;
  /** The Scope exists. */
  scopeKey: ScopeKey;
  /** From `newId()`. */
  candidateId: string;
  origin: CandidateOrigin;
  /** Identifies equal generations (spec 40 §2.1); null for what is not generated or imported. */
  workKey: Buffer | null;
  proposed: ProposedContent;
  /** Of `distinctEvidence`, and checked by `checkEvidence` in this transaction. */
  evidence: Evidence;
  /** Null if the token has no label, or if no caller requested the Candidate. */
  actor: Actor | null;
  at: Date;
}

/**
 * Writes version 1 of a Candidate, pending, in the caller's transaction: head, version, package and counters. It locks the
 * counters, so call it last. Throws a unique violation:
 *
 * - of the primary key if the Candidate exists;
 * - of `candidates_work_key` if an equal generation has a Candidate pending at version 1. `findPendingOfWork` finds it.
 */
export async function createCandidate(
  transaction: PrismaTransaction,
  { tenantId, scopeKey, candidateId, origin, workKey, proposed, evidence, actor, at }: NewCandidate,
): Promise<Candidate> {
  const { prisma, sql } = transaction;
  const { family } = proposed;
  const {
    proposal,
    package: pack,
    ...shown
  } = await storeProposal(transaction, { tenantId, scopeKey }, proposed);
  const { source_refs: sourceRefs, artifact_refs: artifactRefs, target, reason } = evidence;
  const head = await prisma.candidate.create({
    data: {
      tenantId,
      candidateId,
      scopeKey,
      family,
      origin,
      // A copy, because Prisma takes no bytes that threads may share.
      workKey: workKey && Buffer.from(workKey),
      targetId: target?.artifact_id ?? null,
      targetRevision: target?.revision ?? null,
      ...shown,
      ...(pack !== null && { package: pack }),
      sourceCount: sourceRefs.length,
      artifactCount: artifactRefs.length,
      createdAt: at,
      updatedAt: at,
    },
  });
  const version = { version: 1, proposal, sourceRefs, artifactRefs, reason };
  await prisma.candidateVersion.create({
    data: { tenantId, candidateId, ...version, actor: actor?.label ?? null, createdAt: at },
    select: { version: true },
  });
  await countCandidates(sql, { tenantId, scopeKey, family, origin }, { pending: 1 });
  return presentVersion(head, version);
}
