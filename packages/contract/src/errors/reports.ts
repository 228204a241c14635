import { z } from 'zod';
import { int, scopeId } from '../notation/shapes.ts';
import { activitySource, catalogId } from '../reports/catalog-shapes.ts';
import { defineError, noDetails } from './record.ts';

const staleVersion = z.strictObject({
  reason: z.literal('stale_version'),
  expected_version: int(1),
  current_version: int(1),
});

/** Errors of the report catalog and of Handoff Reports. */
export const reportErrors = {
  project_not_found: defineError({
    status: 404,
    message: 'There is no such Project.',
    details: noDetails,
    when: 'No Project has the id.',
    advice: 'Correct the id, or create the Project.',
  }),
  workstream_not_found: defineError({
    status: 404,
    message: 'This Scope is no Workstream. Register it first.',
    details: noDetails,
    when: 'The Scope is registered in no Project.',
    advice: 'Correct the Scope, or register it.',
  }),
  workspace_binding_not_found: defineError({
    status: 404,
    message: 'This workspace has no confirmed binding.',
    details: noDetails,
    when: 'The workspace was never attached, or is detached.',
    advice: 'Attach the workspace to a Project.',
  }),
  project_conflict: defineError({
    status: 409,
    message: 'The Project conflicts with this request. Read it and decide again.',
    details: z.union([
      staleVersion,
      z.strictObject({ reason: z.enum(['idempotency_key', 'key_in_use']), project_id: catalogId }),
    ]),
    when:
      '`details.reason` names the cause. `stale_version`: the Project is not at the expected version. `idempotency_key`: the ' +
      '`Idempotency-Key` was used with another body, and created the Project in `details`. `key_in_use`: another Project ' +
      'has the key.',
    advice: 'Read the Project, and send the change with its current version or another key.',
    example: {
      message: 'Version 3 was expected, but 4 is current. Read the Project and decide again.',
      details: { reason: 'stale_version', expected_version: 3, current_version: 4 },
    },
  }),
  workstream_conflict: defineError({
    status: 409,
    message: 'The Workstream conflicts with this request. Read it and decide again.',
    details: z.union([
      staleVersion,
      z.strictObject({
        reason: z.enum(['scope_already_grouped', 'key_in_use']),
        scope_id: scopeId,
        project_id: catalogId,
      }),
      z.strictObject({
        reason: z.literal('scope_already_registered'),
        scope_id: scopeId,
        project_id: catalogId,
        current_version: int(1),
      }),
    ]),
    when:
      '`details.reason` names the cause. `scope_already_grouped`: the Scope belongs to another Project. ' +
      '`scope_already_registered`: it is registered with other values. `stale_version`: the Workstream is not at the ' +
      'expected version. `key_in_use`: the Workstream of `details.scope_id` has the key.',
    advice: 'Read the Workstream, and send the change with its current version or another key.',
    example: {
      message: 'Version 1 was expected, but 2 is current. Read the Workstream and decide again.',
      details: { reason: 'stale_version', expected_version: 1, current_version: 2 },
    },
  }),
  activity_event_conflict: defineError({
    status: 409,
    message: 'Another event has this identity. Record the content under another source_event_id.',
    details: z.strictObject({ source: activitySource, source_event_id: catalogId }),
    when: 'The `source` and `source_event_id` belong to an event with other content.',
    advice: 'Use a new `source_event_id` for new content. An event never changes.',
    example: { details: { source: 'git_commit', source_event_id: 'git:9f2c1d7' } },
  }),
  workspace_binding_conflict: defineError({
    status: 409,
    message: 'The binding conflicts with this request. Read it and decide again.',
    details: z.union([
      z.strictObject({
        reason: z.enum(['missing', 'stale_version', 'not_confirmed']),
        expected_version: int(1).nullable(),
        current_version: int(1).nullable(),
      }),
      z.strictObject({
        reason: z.literal('other_project'),
        project_id: catalogId,
        expected_version: int(1).nullable(),
        current_version: int(1).nullable(),
      }),
    ]),
    when:
      '`details.reason` names the cause. `missing`: a version was given, and there is no binding. `stale_version`: the ' +
      'binding has another version. `not_confirmed`: the binding to detach is already detached. `other_project`: a ' +
      'confirmed binding belongs to another Project.',
    advice:
      'Continue from `details.current_version`. Detach a binding before you attach it to another Project.',
    example: {
      details: { reason: 'stale_version', expected_version: null, current_version: 1 },
    },
  }),
  handoff_report_too_large: defineError({
    status: 413,
    message: 'The report is too large. Select less.',
    details: z.strictObject({
      limit: z.enum(['workstreams', 'scopes', 'activities', 'output_bytes']),
      limit_value: int(1),
      estimated_bytes: int(0).nullable().meta({
        description: 'Bytes of the report when the service stopped rendering it; null for the other limits.',
      }),
      selected_workstreams: int(0),
      selected_activities: int(0),
    }),
    when: 'The report exceeds its limit of Workstreams, Scopes, activities or bytes.',
    advice:
      'Select fewer Scopes or a shorter period, or split the Project. The operator can raise the limits of Scopes and bytes.',
    example: {
      details: {
        limit: 'output_bytes',
        limit_value: 10_485_760,
        estimated_bytes: 11_000_000,
        selected_workstreams: 80,
        selected_activities: 0,
      },
    },
  }),
};
