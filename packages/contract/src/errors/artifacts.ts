import { z } from 'zod';
import { artifactPublication } from '../artifacts/shapes.ts';
import { artifactRef, int, str, token } from '../notation/shapes.ts';
import { agentKind, lifecycleState } from '../skills/shapes.ts';
import { defineError } from './record.ts';

const etag = str(1, 128).meta({ description: 'For `If-Match`.' });

/** Errors of Artifacts, publications and the lifecycle of Skills. */
export const artifactErrors = {
  artifact_not_found: defineError({
    status: 404,
    message: 'This Scope has no such Artifact or revision.',
    details: z.strictObject({
      artifact_id: token(1, 128).optional().meta({ description: 'Of an unknown replacement of a Skill.' }),
    }),
    when: 'The Scope has no such Artifact, or the Artifact has no such revision.',
    advice: 'Correct the Scope, the id or the revision. `list_artifacts` lists the Artifacts of a Scope.',
  }),
  artifact_conflict: defineError({
    status: 409,
    message: 'The target is not the head of its Artifact. Read the head and propose the change anew.',
    details: z.union([
      z.strictObject({ target: artifactRef, current: artifactRef }),
      z.strictObject({ reason: z.literal('idempotency_key') }),
    ]),
    when:
      'The `target` of a Candidate is not the head of its Artifact. If `details.reason` is `idempotency_key`, the ' +
      '`Idempotency-Key` was used with another body.',
    advice: 'Propose the change again with `details.current` as the target, or use a new key for a new body.',
    example: {
      details: {
        target: { family: 'skill', artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26', revision: 1 },
        current: { family: 'skill', artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26', revision: 2 },
      },
    },
  }),
  artifact_exists: defineError({
    status: 409,
    message: 'This Scope has a Handoff already. Replace it with its ETag, or commit the next revision.',
    details: z.strictObject({ current: artifactRef, current_etag: etag }),
    when: 'The Scope already has its one Handoff.',
    advice: 'Replace the Handoff with `details.current_etag` as `If-Match`, or commit its next revision.',
    example: {
      details: {
        current: { family: 'handoff', artifact_id: 'handoff', revision: 3 },
        current_etag: '"3-5c2f28a16f04c438cf5d6dec60d6ed8c"',
      },
    },
  }),
  publication_conflict: defineError({
    status: 409,
    message: 'The idempotency_key was used for another source. Use a new key for each publication.',
    details: z.strictObject({ current: artifactPublication }),
    when: 'The `idempotency_key` was used in the target Scope for another source.',
    advice: 'Use a new key for each publication. `details.current` is the publication with this key.',
    example: {
      details: {
        current: {
          source: {
            scope_id: 'project:atlas-billing',
            artifact: {
              family: 'experience',
              artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26',
              revision: 1,
            },
          },
          target: {
            scope_id: 'team:payments-conventions',
            artifact: {
              family: 'experience',
              artifact_id: '01a0521c-c533-7f28-9fb1-7c2390c192cf',
              revision: 1,
            },
          },
          content_digest: '3ebb3836621b72994947341abc13cb067f5fbb11c9bbae530772713d87bfeba3',
        },
      },
    },
  }),
  governance_conflict: defineError({
    status: 409,
    message: 'The lifecycle of the Skill does not allow this.',
    details: z.union([
      z.strictObject({ lifecycle_state: lifecycleState }),
      z.strictObject({ lifecycle_state: lifecycleState, reason: z.literal('transition') }),
      z.strictObject({
        expected_generation: int(0),
        current_generation: int(0),
        lifecycle_state: lifecycleState,
      }),
      z.strictObject({
        reason: z.literal('replacement_retired'),
        replacement_artifact_id: token(1, 128),
      }),
    ]),
    when:
      'The lifecycle state of the Skill or of its replacement does not allow the operation, or `expected_generation` is ' +
      'not the current generation.',
    advice:
      'Use a Skill that is not retired: a retired Skill stays readable, and never becomes active again. For another ' +
      'generation, read the Skill and decide again.',
    example: {
      message: 'This Skill is retired and cannot be replaced. Create another one.',
      details: { lifecycle_state: 'retired' },
    },
  }),
  precondition_failed: defineError({
    status: 412,
    message: 'If-Match does not name the current revision. Read it and decide again.',
    details: z.strictObject({ current: artifactRef, current_etag: etag }),
    when: 'The Artifact has changed since the `ETag` in `If-Match` was read, or the tag belongs to another Artifact.',
    advice: 'Read the current revision, and send the change with `details.current_etag` as `If-Match`.',
    example: {
      details: {
        current: { family: 'memory', artifact_id: 'memory', revision: 7 },
        current_etag: '"7-5c2f28a16f04c438cf5d6dec60d6ed8c"',
      },
    },
  }),
  capability_not_supported: defineError({
    status: 422,
    message: 'This deployment cannot do that. See `get_capabilities`.',
    details: z.union([
      z.strictObject({
        capability: str(1, 128).meta({ description: 'What is missing, such as `vector`.' }),
      }),
      z.strictObject({
        capability: z.literal('agent_skill_format'),
        agent_kind: agentKind,
        reason: z.enum(['description_markup', 'description_length', 'name']).meta({
          description: 'The requirement of the agent that the Skill does not meet.',
        }),
      }),
    ]),
    when:
      'This deployment lacks the capability that the request needs. Or the agent of a target cannot load such a Skill ' +
      '(`agent_skill_format`).',
    advice:
      'Read `get_capabilities`, and ask for something that it lists. For `agent_skill_format`, publish a revision that ' +
      'meets the requirement in `details.reason`.',
    example: {
      message: 'This deployment has no embedding model and cannot search in mode vector. Use auto or fts.',
      details: { capability: 'vector' },
    },
  }),
};
