import { z } from 'zod';
import type { ErrorCode } from '../errors/records.ts';
import { type CandidateFamily, candidateFamilies, familyCatalog } from '../families/catalog.ts';
import type { FamilySpec } from '../families/family.ts';
import { scopeId, token } from '../notation/shapes.ts';
import { defineOperation, type Example } from '../operations/operation.ts';
import { exampleCandidate, exampleReferences, exampleScope } from './examples.ts';
import { candidate, evidenceFields } from './shapes.ts';

const proposing = {
  method: 'POST',
  tag: 'review',
  auth: 'bearer',
  run: 'direct',
  headers: z.object({ 'idempotency-key': token(1, 256).optional() }),
  status: 201,
  response: candidate,
} as const;

const once =
  'The evidence must exist in the Scope. Searches find the proposal only after its approval. Without `Idempotency-Key`, two ' +
  'equal calls make two Candidates.';

type Content<F extends CandidateFamily> = (typeof familyCatalog)[F]['createContent'];

/** The operation that proposes a Candidate of a Family. */
function proposeOperation<F extends CandidateFamily>(family: F) {
  const { title, article, proposal, createContent }: FamilySpec = familyCatalog[family];
  if (proposal === null) throw new Error(`A ${title} has no Candidates.`);
  const { description, bodyLimit, canRetire, example } = proposal;
  const errors: ErrorCode[] = [
    'artifact_conflict',
    'candidate_conflict',
    ...(canRetire ? (['governance_conflict'] as const) : []),
    'source_not_eligible',
  ];
  return defineOperation({
    ...proposing,
    id: `propose_${family}`,
    path: `/v1/${family}/propose`,
    summary: `Propose ${article} ${title} for review`,
    description: `${description} ${once}`,
    ...(bodyLimit !== undefined && { bodyLimit }),
    body: z.strictObject({ scope_id: scopeId, proposal: createContent as Content<F>, ...evidenceFields }),
    errors,
    examples: [exampleOf(family, example)],
  });
}

function exampleOf(
  family: CandidateFamily,
  {
    summary,
    idempotencyKey,
    sent,
    reason,
    candidateId,
    stored,
  }: NonNullable<FamilySpec['proposal']>['example'],
): Example {
  return {
    summary,
    ...(idempotencyKey !== undefined && { parameters: { 'Idempotency-Key': idempotencyKey } }),
    body: {
      scope_id: exampleScope,
      proposal: sent,
      ...exampleReferences,
      ...(reason !== null && { reason }),
    },
    response: { ...exampleCandidate, candidate_id: candidateId, family, proposal: stored, reason },
  };
}

type ProposalOperations = {
  [F in CandidateFamily as `propose_${F}`]: ReturnType<typeof proposeOperation<F>>;
};

/** One operation for each Family that has Candidates. */
export const proposalOperations = Object.fromEntries(
  candidateFamilies.map((family) => [`propose_${family}`, proposeOperation(family)]),
) as ProposalOperations;
