import { jobAccepted } from '../jobs/operations.ts';
import type { OperationSpec, OtherSuccess } from './operation.ts';

/** What `Prefer: respond-async` gets of any operation that runs behind a queue (spec 00 §7). */
const accepted: OtherSuccess = {
  status: 202,
  description: 'With `Prefer: respond-async`: the work is written down and goes on.',
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

/** Every answer of an operation that is not an error: the main one first. */
export function successesOf(operation: OperationSpec): OtherSuccess[] {
  const { status, summary, response, responseHeaders = {}, otherSuccesses = [], run } = operation;
  const main = { status, description: summary, response, headers: responseHeaders };
  return [main, ...otherSuccesses, ...(run === 'direct' ? [] : [accepted])];
}
