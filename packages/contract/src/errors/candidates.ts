import { z } from 'zod';
import { generatedFamilies } from '../families/catalog.ts';
import { artifactRef, int } from '../notation/shapes.ts';
import { defineError, noDetails } from './record.ts';

/** Errors of Candidates, their generation and their review. */
export const candidateErrors = {
  generation_unavailable: defineError({
    status: 503,
    message: 'Generation of this Family is switched off.',
    details: z.strictObject({ family: z.enum(generatedFamilies) }),
    when: 'The deployment does not generate this Family (`EXPERIENCE_GENERATION`, `SKILL_GENERATION`).',
    advice: 'Propose the content yourself. `get_capabilities` says what the deployment generates.',
    example: { details: { family: 'experience' } },
  }),
  candidate_not_found: defineError({
    status: 404,
    message: 'This Scope has no such Candidate.',
    details: noDetails,
    when: 'The Scope has no such Candidate, or the Candidate has no such version.',
    advice: 'Correct the Scope or the id. `list_artifact_candidates` lists the Candidates of a Scope.',
  }),
  candidate_terminal: defineError({
    status: 409,
    message: 'The Candidate is decided. Propose the change anew.',
    details: z.strictObject({
      status: z.enum(['approved', 'rejected']),
      current_version: int(1),
      result_artifact: artifactRef.nullable(),
    }),
    when: 'The Candidate is approved or rejected.',
    advice: '`details` has the decision. To change more, propose a new Candidate.',
    example: {
      details: {
        status: 'approved',
        current_version: 2,
        result_artifact: {
          family: 'experience',
          artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26',
          revision: 1,
        },
      },
    },
  }),
  candidate_conflict: defineError({
    status: 409,
    message: 'The Candidate has another version. Read it and decide again.',
    details: z.union([
      z.strictObject({ expected_version: int(1), current_version: int(1) }),
      z.strictObject({ reason: z.literal('idempotency_key') }),
    ]),
    when:
      '`expected_version` is not the current version. If `details.reason` is `idempotency_key`, the `Idempotency-Key` was ' +
      'used with another body.',
    advice: 'Read the current version, and decide about that version. Use a new key for a new body.',
    example: { details: { expected_version: 1, current_version: 2 } },
  }),
};
