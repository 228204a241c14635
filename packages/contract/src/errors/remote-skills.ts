import { z } from 'zod';
import { int, token } from '../notation/shapes.ts';
import { targetState } from '../remote-skills/shapes.ts';
import { defineError, noDetails } from './record.ts';

/** Errors of remote Skill targets. */
export const remoteSkillErrors = {
  remote_target_not_found: defineError({
    status: 404,
    message: 'This Scope has no such target.',
    details: noDetails,
    when: 'The Scope has no such target.',
    advice: 'Correct the Scope or the id. `list_remote_skill_targets` lists the targets of a Scope.',
  }),
  remote_publication_not_found: defineError({
    status: 404,
    message: 'This Skill was never published to the target.',
    details: noDetails,
    when: 'The Skill was never published to the target.',
    advice: 'Publish the Skill first. A Receiver reconciles again.',
  }),
  remote_target_conflict: defineError({
    status: 409,
    message: 'The target has changed since it was read. Read it and decide again.',
    details: z.union([
      z.strictObject({ expected_generation: int(0), current_generation: int(0), state: targetState }),
      z.strictObject({ state: targetState }),
      z.strictObject({ reason: z.literal('limit') }),
    ]),
    when:
      '`expected_generation` is not the current generation. Or the target is not active: `details` has only its `state`. ' +
      'If `details.reason` is `limit`, the Scope has 200 targets that are not revoked.',
    advice:
      'Read the target, and decide again. Publish only to active targets. Revoke targets that are gone.',
    example: { details: { expected_generation: 1, current_generation: 2, state: 'active' } },
  }),
  remote_publication_conflict: defineError({
    status: 409,
    message: 'The publication has another generation. Read it and decide again.',
    details: z.union([
      z.strictObject({
        expected_generation: int(0).nullable(),
        current_generation: int(0).nullable(),
      }),
      z.strictObject({ current_generation: int(0) }),
      z.strictObject({ reason: z.literal('name_in_use'), artifact_id: token(1, 128) }),
      z.strictObject({ reason: z.literal('limit') }),
      z.strictObject({ reason: z.literal('receipt_mismatch'), current_generation: int(0) }),
    ]),
    when:
      '`expected_generation` is not the current generation (null: not published), or a Receiver names another generation. ' +
      '`details.reason` names other causes. `name_in_use`: the target has another Skill of this name. `limit`: the target ' +
      'has 256 Skills. `receipt_mismatch`: the receipt differs from the publication.',
    advice:
      'Read the target, and decide again. After `name_in_use`, unpublish the other Skill and wait for its removal. A ' +
      'Receiver reconciles again.',
    example: { details: { expected_generation: null, current_generation: 0 } },
  }),
  enrollment_invalid: defineError({
    status: 409,
    message: 'The code cannot be redeemed. Ask for a new one.',
    details: noDetails,
    when: 'The code is unknown, expired, used or revoked. Or the installation is enrolled at another active target.',
    advice: 'Create a new target, and enroll with its code before the code expires.',
  }),
};
