import { z } from 'zod';
import { citation } from '../notation/shapes.ts';
import { defineError, noDetails } from './record.ts';

/** Errors of evidence and of Handoff drafts. */
export const handoffErrors = {
  handoff_evidence_not_found: defineError({
    status: 404,
    message: 'This Scope does not have all the cited evidence. Cite what it has.',
    details: z.strictObject({ citations: z.array(citation).min(1) }),
    when: 'The Scope itself lacks some of the cited evidence.',
    advice:
      'Remove or correct the Citations in `details.citations`. It lists each missing one once, in request order.',
    example: {
      details: { citations: [{ kind: 'source', source_ref: { name: 'content', source_id: 'ci/8841' } }] },
    },
  }),
  invalid_handoff_generation: defineError({
    status: 500,
    message: 'No valid draft after two attempts. Nothing changed; ask again, or write the draft yourself.',
    details: z.strictObject({
      reason: z.enum(['output', 'objective', 'evidence', 'budget']).meta({
        description: 'The rule that the draft broke: its shape, its objective, its Citations or its size.',
      }),
    }),
    when: 'The generator returned no valid draft in two attempts.',
    advice: 'Ask again. If `details.reason` is `budget`, raise `max_bytes`. Or write the draft yourself.',
    example: { details: { reason: 'budget' } },
  }),
  handoff_generation_unavailable: defineError({
    status: 503,
    message: 'This deployment does not draft Handoffs. Write the draft yourself, and finalize it.',
    details: noDetails,
    when: 'The operator has switched off drafting (`HANDOFF_GENERATION`).',
    advice: 'Write the draft yourself, and finalize it.',
  }),
};
