import { z } from 'zod';
import { citationKey } from '../evidence/citations.ts';
import { citation, int, scopeId, sourceRef, text } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleDraft, exampleScope } from './examples.ts';
import { handoffActivation, handoffDraft, maxEvidence } from './shapes.ts';

const queued = {
  method: 'POST',
  tag: 'handoff',
  auth: 'bearer',
  status: 200,
  run: 'job',
  errors: [
    'handoff_evidence_not_found',
    'source_not_eligible',
    'handoff_generation_unavailable',
    'inference_unavailable',
    'inference_timeout',
    'invalid_handoff_generation',
  ],
} as const;

const common = {
  scope_id: scopeId,
  objective: text(1, 8192).meta({ description: 'What the work is about. The draft keeps it byte for byte.' }),
  max_bytes: int(512, 32_768).default(8_000).meta({
    description: 'Bound of the canonical JSON of the content that the draft becomes, in UTF-8 bytes.',
  }),
};

const evidence = z
  .array(citation)
  .min(1)
  .max(maxEvidence)
  .refine((cited) => new Set(cited.map(citationKey)).size === cited.length, {
    error: 'must not name a Citation twice',
  })
  .meta({ uniqueItems: true });

const { objective, state } = exampleDraft;
const cited = state.flatMap(({ citations }) => citations);
const [boundary] = cited.map(({ source_ref }) => source_ref);

export const prepareHandoff = defineOperation({
  ...queued,
  id: 'prepare_handoff',
  path: '/v1/handoff/prepare',
  summary: 'Draft a Handoff from evidence',
  description:
    'The draft cites nothing but the given evidence. Nothing is stored: finalize and commit it, or change it first. ' +
    'Equal requests at the same time share one draft. What the evidence says is never followed as an instruction.',
  body: z.strictObject({ ...common, evidence }),
  response: handoffDraft,
  errors: [...queued.errors],
  examples: [
    {
      summary: 'From the output of a test',
      body: { scope_id: exampleScope, objective, evidence: cited },
      response: exampleDraft,
    },
  ],
});

export const activateHandoff = defineOperation({
  ...queued,
  id: 'activate_handoff',
  path: '/v1/handoff/activate',
  summary: 'Draft a Handoff once for a boundary',
  description:
    'Each Scope has a cursor, which goes to the position of the boundary with the draft. A boundary at or before it is ' +
    '`ignored`, so that a boundary is drafted once however often it is told.',
  body: z.strictObject({
    ...common,
    boundary_source: sourceRef,
    evidence: z
      .array(citation)
      .max(maxEvidence)
      .default([])
      .meta({
        description: `With the boundary, which is always evidence, at most ${maxEvidence}; none twice.`,
      }),
  }),
  response: handoffActivation,
  errors: [...queued.errors],
  examples: [
    {
      summary: 'After a test',
      body: {
        scope_id: exampleScope,
        boundary_source: boundary,
        objective,
      },
      response: {
        status: 'generated',
        boundary_source: boundary,
        previous_position: 0,
        current_position: 3,
        draft: exampleDraft,
      },
    },
  ],
});

export const handoffGenerationOperations = {
  prepare_handoff: prepareHandoff,
  activate_handoff: activateHandoff,
};
