import type { Candidate, Generated } from '@continuity/contract/review';

/** The answer where the evidence says nothing new. */
export const noOp: Generated = { status: 'no_op', candidate: null };

/** The answer with a Candidate. */
export function pendingOf(candidate: Candidate): Generated {
  return { status: 'pending', candidate };
}
