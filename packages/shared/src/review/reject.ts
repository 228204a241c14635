import type { Candidate } from '@continuity/contract/review';
import type { Database } from '@continuity/kernel/database';
import type { Decision } from './approve.ts';
import { countCandidates } from './count-candidates.ts';
import { findHead, readCandidate } from './find.ts';
import { lockPending, requirePending } from './pending.ts';

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
