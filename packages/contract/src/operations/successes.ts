import { jobAccepted } from '../jobs/operations.ts';
import type { OperationSpec, OtherSuccess } from './operation.ts';

/** The answer to `Prefer: respond-async` of any operation that runs as a job (spec 00 §7). */
const accepted: OtherSuccess = {
  status: 202,
  description: 'With `Prefer: respond-async`: the job is stored and continues in the background.',
  response: jobAccepted,
  headers: { Location: 'Path of the job.', 'Preference-Applied': '`respond-async`' },
  example: {
    summary: 'Queued',
    response: {
      job_id: '019a9f40-6c00-7000-8000-000000000001',
      status: 'queued',
      status_url: '/v1/jobs/019a9f40-6c00-7000-8000-000000000001',
    },
  },
};

/** All success answers of an operation, the main one first. */
export function successesOf(operation: OperationSpec): OtherSuccess[] {
  const {
    status,
    summary,
    response,
    responseHeaders = {},
    otherSuccesses = [],
    run,
    waitsAlways,
  } = operation;
  const main = { status, description: summary, response, headers: responseHeaders };
  return [main, ...otherSuccesses, ...(run === 'direct' || waitsAlways ? [] : [accepted])];
}
