import { z } from 'zod';
import { int, scopeId } from '../notation/shapes.ts';
import { defineError } from './record.ts';

export const scopeErrors = {
  scope_not_found: defineError({
    status: 404,
    message: 'There is no such Scope.',
    details: z.strictObject({
      scope_id: scopeId.optional().meta({ description: 'Absent if the tenant has no default Scope.' }),
    }),
    when: 'No Scope has the id, or the tenant has no default Scope.',
    advice: 'Correct the id, create the Scope, or set a default Scope.',
    example: { details: { scope_id: 'project-alpha' } },
  }),
  scope_conflict: defineError({
    status: 409,
    message: 'The Scope conflicts with this request. Read it and decide again.',
    details: z.union([
      z.strictObject({ expected_version: int(1), current_version: int(1) }),
      z.strictObject({ reason: z.literal('cycle') }),
      z.strictObject({ reason: z.literal('idempotency_key'), scope_id: scopeId }),
    ]),
    when:
      'The Scope is not at the expected version. `details.reason` names other causes. `cycle`: the parent would close a ' +
      'cycle. `idempotency_key`: the key was used with another body, and created the Scope in `details`.',
    advice: 'Read the Scope, and send the change with its current version, another parent or another key.',
    example: {
      message: 'Version 3 was expected, but 4 is current. Read the Scope and decide again.',
      details: { expected_version: 3, current_version: 4 },
    },
  }),
};
