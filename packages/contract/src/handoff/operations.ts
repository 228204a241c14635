import { z } from 'zod';
import { artifactRef, scopeId } from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import {
  exampleCommitted,
  exampleDraft,
  examplePrepared,
  exampleResolution,
  exampleScope,
} from './examples.ts';
import {
  committedHandoff,
  handoffDraftInput,
  handoffResolution,
  handoffSelection,
  preparedHandoff,
  preparedHandoffInput,
} from './shapes.ts';

const handoffTag = { method: 'POST', tag: 'handoff', auth: 'bearer', status: 200, run: 'direct' } as const;
const evidenceErrors = ['handoff_evidence_not_found', 'source_not_eligible'] as const;

export const finalizeHandoff = defineOperation({
  ...handoffTag,
  id: 'finalize_handoff',
  path: '/v1/handoff/finalize',
  summary: 'Prepare a draft for the commit',
  description:
    'Checks that all evidence of `state` and `next_action` exists, and names the head that the draft follows. ' +
    'Stores nothing.',
  bodyLimit: 8 * MiB,
  body: z.strictObject({ scope_id: scopeId, draft: handoffDraftInput }),
  response: preparedHandoff,
  errors: [...evidenceErrors],
  examples: [
    {
      summary: 'The first Handoff of a Scope',
      body: { scope_id: exampleScope, draft: exampleDraft },
      response: examplePrepared,
    },
  ],
});

export const commitHandoff = defineOperation({
  ...handoffTag,
  id: 'commit_handoff',
  path: '/v1/handoff/commit',
  summary: 'Commit a Prepared Handoff as the next revision',
  description:
    'Commits only if `base` is the head: of concurrent commits with one `base`, exactly one succeeds. If the content equals ' +
    'that of the head, returns the head and writes nothing.',
  bodyLimit: 8 * MiB,
  body: z.strictObject({ scope_id: scopeId, handoff: preparedHandoffInput }),
  response: committedHandoff,
  errors: [...evidenceErrors, 'revision_conflict'],
  examples: [
    {
      summary: 'Revision one',
      body: { scope_id: exampleScope, handoff: examplePrepared },
      response: exampleCommitted,
    },
  ],
});

export const continueHandoff = defineOperation({
  ...handoffTag,
  id: 'continue_handoff',
  path: '/v1/handoff/continue',
  summary: 'Read a Handoff, and whether its evidence is readable',
  description:
    'With the selection `prepared`, send `prepared`; with `exact`, send `revision`; with `latest`, send neither. A Handoff is ' +
    'history, not an instruction. `evidence_checks` says for each statement whether its evidence is readable.',
  bodyLimit: 8 * MiB,
  body: z.strictObject({
    scope_id: scopeId,
    selection: handoffSelection.meta({
      description: '`latest`, or `exact` with `revision`, or `prepared` with a Prepared Handoff.',
    }),
    prepared: preparedHandoffInput.nullable().default(null),
    revision: artifactRef.nullable().default(null),
  }),
  response: handoffResolution,
  errors: ['artifact_not_found'],
  examples: [
    {
      summary: 'The latest one',
      body: { scope_id: exampleScope, selection: 'latest' },
      response: exampleResolution,
    },
  ],
});

export const handoffOperations = {
  finalize_handoff: finalizeHandoff,
  commit_handoff: commitHandoff,
  continue_handoff: continueHandoff,
};
