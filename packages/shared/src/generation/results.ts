import type { Candidate, Generated } from '@continuity/contract/review';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { findPendingOfWork } from '../review/index.ts';

/** The answer if the evidence says nothing new. */
export const noOp: Generated = { status: 'no_op', candidate: null };

/** The answer with a Candidate. */
export function pendingOf(candidate: Candidate): Generated {
  return { status: 'pending', candidate };
}

/** Finds the Candidate of an equal earlier generation, if nobody has revised or decided it; undefined without one (spec 40 §2.1). */
export async function findPendingResult(
  queries: Queries,
  tenantId: TenantId,
  workKey: Buffer,
): Promise<Generated | undefined> {
  const candidate = await findPendingOfWork(queries, tenantId, workKey);
  return candidate && pendingOf(candidate);
}
