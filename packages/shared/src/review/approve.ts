import type { ExperienceContent } from '@continuity/contract/experience';
import type { Actor, Candidate } from '@continuity/contract/review';
import type { SkillContent } from '@continuity/contract/skills';
import type { Database } from '@continuity/kernel/database';
import { type Approved, approvedDocument, type ProposedContent, writeApproved } from '../artifacts/index.ts';
import { toSourceTypeRef } from '../evidence/index.ts';
import { loadReviewedSkill, type PackageThreads } from '../skills/index.ts';
import type { StoredCandidate } from './candidate.ts';
import { countCandidates } from './count-candidates.ts';
import { type CandidateAddress, findHead, readCandidate } from './find.ts';
import { lockPending, requirePending } from './pending.ts';
import { checkSkillLineage } from './skill-lineage.ts';
import { checkTarget } from './target.ts';

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
  packageThreads: PackageThreads;
}

/**
 * Approves a Candidate: writes the version that was read as an Artifact revision (spec 40 §4). Everything slow comes before the
 * transaction, which holds all locks. Throws 404, 409 `candidate_terminal` and `candidate_conflict`, then 422 for the lineage
 * of a Skill, 409 `artifact_conflict`, 409 `governance_conflict`; in each case nothing is written.
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
  const approved = await checkProposed(deps, address, stored).catch(async (error: unknown) => {
    // A concurrent decision comes first: an approval moves the target of the Candidate that it approves.
    requirePending(await findHead(database, address), expectedVersion);
    throw error;
  });
  return database.prismaTransaction(async (transaction) => {
    await lockPending(transaction.sql, address, expectedVersion);
    const result = await writeApproved(transaction, {
      ...address,
      scopeKey,
      ...approved,
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
  deps: ApproveDeps,
  address: CandidateAddress,
  stored: StoredCandidate,
): Promise<Pick<Approved, 'proposed' | 'document'>> {
  const { family, candidate } = stored;
  if (family === 'skill') checkSkillLineage(candidate);
  if (candidate.target !== null) await checkTarget(deps.database, address, candidate.target);
  const proposed = await loadProposed(deps, stored);
  return { proposed, document: await approvedDocument(address, proposed) };
}

/** Reads what an approval writes. Throws if a package is not as it was written. */
async function loadProposed(
  { database, packageThreads }: ApproveDeps,
  { family, candidate, ...place }: StoredCandidate,
): Promise<ProposedContent> {
  if (family === 'experience') return { family, content: candidate.proposal as ExperienceContent };
  const content = candidate.proposal as SkillContent;
  return { family, skill: await loadReviewedSkill(database, packageThreads, place, content) };
}

function lineageOf({ source_refs, artifact_refs }: Candidate) {
  return {
    sources: source_refs.map(toSourceTypeRef),
    artifacts: artifact_refs,
  };
}
