import { z } from 'zod';
import { digest, int, json, scopeId, sourceRef, text } from '../notation/shapes.ts';
import { defineError } from './record.ts';

/** Errors of Sources, Source definitions and connectors. */
export const sourceErrors = {
  source_not_found: defineError({
    status: 404,
    message: 'This Scope has no such Source.',
    details: z.union([
      z.strictObject({ scope_id: scopeId, source_type: text(1, 128), source_id: text(1, 256) }),
      z.strictObject({ source_ref: sourceRef }),
    ]),
    when: 'The Scope has no such Source. Of a Source in `source_refs`, `details.source_ref` names it.',
    advice: 'Correct the Scope, the type or the id.',
    example: { details: { scope_id: 'project-alpha', source_type: 'content', source_id: 'ci/8841' } },
  }),
  source_definition_not_found: defineError({
    status: 404,
    message: 'There is no such Source definition. Register it first.',
    details: z.strictObject({ source_type: text(1, 128), definition_version: text(1, 128) }),
    when: 'No Source definition has the name and version.',
    advice: 'Register the definition, then send the observation again.',
    example: { details: { source_type: 'git-file', definition_version: '1' } },
  }),
  source_conflict: defineError({
    status: 409,
    message: 'Another Source has this identity. Send the content under another identity.',
    details: z.union([
      z.strictObject({
        current: z.strictObject({ source: sourceRef, position: int(1), content_digest: digest }),
      }),
      z.strictObject({ reason: z.literal('idempotency_key') }),
    ]),
    when:
      'The identity belongs to other content, which `details.current` describes. If `details.reason` is `idempotency_key`, ' +
      'the `Idempotency-Key` was used with another body.',
    advice: 'Use a new identity for new content. A Source never changes.',
    example: {
      message: 'This source_id is in use for different content. Send the content under another source_id.',
      details: {
        current: {
          source: { name: 'content', source_id: 'ci/8841' },
          position: 3,
          content_digest: 'sha256:f3642359b89a8ce9a12ddfb725386588204246b944fa1c9e48b9cbb3d085f94d',
        },
      },
    },
  }),
  source_definition_conflict: defineError({
    status: 409,
    message: 'Another definition has this name and version. Register the change under another version.',
    details: z.union([
      z.strictObject({ name: text(1, 128), version: text(1, 128), current_fingerprint: digest }),
      z.strictObject({ name: text(1, 128), reason: z.literal('reserved') }),
      z.strictObject({ current_fingerprint: digest }),
    ]),
    when:
      'The name and version belong to another definition (`details.current_fingerprint`). If `details.reason` is ' +
      '`reserved`, the name is reserved.',
    advice:
      'Register the change under another version, or choose a name that does not begin with `service.`.',
    example: {
      details: {
        name: 'git-file',
        version: '1',
        current_fingerprint: 'sha256:89e90b036045663797d5b4173192acc3ce6175f58b764c7ab4c60998821f0ec4',
      },
    },
  }),
  checkpoint_conflict: defineError({
    status: 409,
    message: 'The checkpoint is not the expected one. Read it and decide again.',
    details: z.discriminatedUnion('reason', [
      z.strictObject({ reason: z.literal('stale'), current: json }),
      z.strictObject({
        reason: z.literal('binding'),
        current: z.strictObject({ connector_name: text(1, 128), connector_version: text(1, 128) }),
      }),
    ]),
    when:
      '`details.reason` names the cause. `stale`: the checkpoint is `details.current`, not the expected one. `binding`: the ' +
      '`binding_id` belongs to another connector or version.',
    advice: 'Continue from `details.current`. Use a separate `binding_id` for each connector version.',
    example: { details: { reason: 'stale', current: { commit: '4f1c2a' } } },
  }),
  source_not_eligible: defineError({
    status: 422,
    message: 'This Source records how an Artifact was written. Cite another Source as evidence.',
    details: z.strictObject({ source_ref: sourceRef }),
    when: 'The request cites a Source that only records how the service wrote an Artifact.',
    advice: 'Cite the evidence itself. Such a Source is lineage, not evidence.',
    example: {
      details: { source_ref: { name: 'content', source_id: '01a0521c-9a5b-70c6-a6a3-a4506513270e' } },
    },
  }),
};
