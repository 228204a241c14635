import { serviceError } from '@continuity/kernel/errors';
import { expect, test } from 'vitest';
import { resultOf } from '../../src/jobs/job.ts';

const failed = (error: unknown) => () => resultOf({ status: 'failed', result: null, error });

test('an error has the message of its record, unless a throw is more specific', () => {
  expect(serviceError('job_not_found').toEnvelope()).toEqual({
    error: { code: 'job_not_found', message: 'There is no such job.', details: {} },
  });
  const specific = serviceError('scope_not_found', { message: 'There is no default Scope.' });
  expect(specific).toMatchObject({ status: 404, message: 'There is no default Scope.', details: {} });
});

test('missing and wrong details do not compile', () => {
  // @ts-expect-error
  serviceError('job_timeout');
  // @ts-expect-error
  serviceError('job_timeout', { details: {} });
  // @ts-expect-error
  serviceError('scope_conflict', { details: { reason: 'a reason of another code' } });
  // @ts-expect-error
  serviceError('job_not_found', { details: { job_id: 'not declared' } });
});

test('a stored error is thrown as the worker stored it', () => {
  const stored = serviceError('inference_unavailable', { details: { reason: 'refused' } }).toBody();
  expect(failed(stored)).toThrow(expect.objectContaining(stored));
});

test.each([
  ['a code of a newer release', { code: 'report_too_large', message: 'Too large.', details: {} }],
  [
    'details of a newer release',
    { code: 'inference_unavailable', message: 'No.', details: { reason: 'moved' } },
  ],
])('a stored error with %s is an internal error', (_what, stored) => {
  expect(failed(stored)).toThrow(expect.objectContaining({ code: 'internal_error', details: {} }));
});
