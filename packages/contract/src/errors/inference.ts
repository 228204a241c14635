import { z } from 'zod';
import { defineError, noDetails } from './record.ts';

/** Errors of model requests. */
export const inferenceErrors = {
  inference_unavailable: defineError({
    status: 503,
    message: 'The model could not do this. Retry later.',
    details: z.strictObject({ reason: z.enum(['unreachable', 'refused', 'invalid_output']) }),
    when:
      'The model endpoint fails. `details.reason` is `unreachable` if it does not answer, `refused` if it refuses the ' +
      'request, and `invalid_output` if it returns nothing usable.',
    advice: 'Retry later. If the error persists, the operator should check the model settings and the quota.',
    retry: 'if_repeatable',
    example: {
      message: 'The model could not do this. Nothing changed; flush again.',
      details: { reason: 'unreachable' },
    },
  }),
  inference_timeout: defineError({
    status: 503,
    message: 'The model did not answer in time. Retry later.',
    details: noDetails,
    when: 'The model endpoint did not answer in time.',
    advice: 'Retry later. If the error persists, the operator should raise the timeout of the model.',
    retry: 'if_repeatable',
  }),
};
