import { defineError, noDetails } from './record.ts';

/** Errors of the service itself: defects, start, stop, and its database. */
export const serviceErrors = {
  internal_error: defineError({
    status: 500,
    message: 'The service failed. Report it with the X-Service-Request-ID of the request.',
    details: noDetails,
    when: 'The service has a defect.',
    advice: 'Report it to the operator with the `X-Service-Request-ID` of the answer.',
  }),
  runtime_not_ready: defineError({
    status: 503,
    message: 'The service is starting or stopping. Retry after the time in Retry-After.',
    details: noDetails,
    when: 'The process is starting or stopping, or too many connector schemas, large bodies or long answers are waiting.',
    advice: 'Retry after `Retry-After`: the request is safe to retry.',
    retry: 'always',
  }),
  database_unavailable: defineError({
    status: 503,
    message: 'The database does not answer. Retry after the time in Retry-After.',
    details: noDetails,
    when: 'The database does not answer, or another write holds the same rows for too long.',
    advice:
      'Retry after `Retry-After`. The write may have been committed: give a create an `Idempotency-Key`, so that it is ' +
      'safe to retry.',
    retry: 'if_repeatable',
  }),
};
