import type { Candidate, Generated } from '@continuity/contract/review';
import type { Queries, TenantId } from '@continuity/shared/kernel';
import { findPendingOfWork } from '../review/index.ts';

/** The answer where the evidence says nothing new. */
export const noOp: Generated = { status: 'no_op', candidate: null };

/** The answer with a Candidate. */
export function pendingOf(candidate: Candidate): Generated {
  return { status: 'pending', candidate };
}

/** The answer with the Candidate that equal work has made and nobody has revised or decided yet, or undefined (spec 40 §2.1). */
export async function findPendingResult(
  queries: Queries,
  tenantId: TenantId,
  workKey: Buffer,
): Promise<Generated | undefined> {
  const candidate = await findPendingOfWork(queries, tenantId, workKey);
  return candidate && pendingOf(candidate);
}
