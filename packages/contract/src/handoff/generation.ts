import { z } from 'zod';
import { citationKey } from '../evidence/citations.ts';
import { citation, sourceRef } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleDraft, exampleScope } from './examples.ts';
import { draftFields, handoffActivation, handoffDraft, maxEvidence } from './shapes.ts';

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
  ...draftFields,
  objective: draftFields.objective.meta({
    description: 'The goal of the work. The draft contains it unchanged.',
  }),
  max_bytes: draftFields.max_bytes.default(8_000).meta({
    description: 'Limit of the canonical JSON of the content, in UTF-8 bytes.',
  }),
};

const evidence = z
  .array(citation)
  .min(1)
  .max(maxEvidence)
  .refine((cited) => new Set(cited.map(citationKey)).size === cited.length, {
    error: 'must not contain duplicates',
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
    'The draft cites only the given evidence. The service stores nothing: finalize and commit the draft, or change it first. ' +
    'Identical concurrent requests are coalesced. The generator never follows instructions in the evidence.',
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
    'Each Scope has an activation cursor. A draft moves it to the position of the boundary. A boundary at or before the cursor ' +
    'is `ignored`, so repeated requests draft a boundary only once.',
  body: z.strictObject({
    ...common,
    boundary_source: sourceRef,
    evidence: z
      .array(citation)
      .max(maxEvidence)
      .default([])
      .meta({
        description: `Distinct Citations. With the boundary, which is always evidence, at most ${maxEvidence}.`,
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
