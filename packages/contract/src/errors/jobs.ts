import { z } from 'zod';
import { jobStatus, queueNames } from '../jobs/catalog.ts';
import { defineError, noDetails } from './record.ts';

const jobId = z.string().meta({ description: 'For `get_job`.' });
const exampleJob = { job_id: '019a9f40-6c00-7000-8000-000000000001' };

/** Errors of jobs and queues. */
export const jobErrors = {
  job_not_found: defineError({
    status: 404,
    message: 'There is no such job.',
    details: noDetails,
    when:
      'No job has the id, or the service has deleted the job. It deletes failed jobs after `JOB_FAILED_RETENTION_DAYS`, ' +
      'reconciles of remote targets an hour after their end, and other jobs after a day.',
    advice: 'Correct the id, or send the original request again.',
  }),
  job_conflict: defineError({
    status: 409,
    message: 'The status of the job does not allow this.',
    details: z.strictObject({ status: jobStatus }),
    when:
      'A job to cancel has succeeded or failed. A job to retry has neither failed nor been cancelled, or another job does ' +
      'the same work.',
    advice: 'Read the job by `get_job`, and decide again.',
    example: {
      message: 'The job has succeeded, so it cannot be cancelled.',
      details: { status: 'succeeded' },
    },
  }),
  job_cancelled: defineError({
    status: 409,
    message: 'The job was cancelled.',
    details: z.strictObject({ job_id: jobId }),
    when: 'A call of `cancel_job` cancelled the job of the request.',
    advice: 'Send the request again, or queue its job again by `retry_job`.',
    example: { details: exampleJob },
  }),
  worker_unavailable: defineError({
    status: 503,
    message: 'No worker for this operation is running. Retry after the time in Retry-After.',
    details: z.strictObject({
      queue: z.enum(queueNames),
      host_id: z.string().optional().meta({ description: 'The only host whose workers can run the job.' }),
    }),
    when:
      'No live worker takes jobs of the queue of the operation. If the request names a host, only workers of that host ' +
      'count.',
    advice:
      'Retry after `Retry-After`. The service wrote nothing. If the error persists, the operator should start a worker.',
    retry: 'always',
    example: { details: { queue: 'memory-flush' } },
  }),
  queue_unavailable: defineError({
    status: 503,
    message: 'The queue store does not answer. Retry after the time in Retry-After.',
    details: z.strictObject({
      job_id: jobId.optional().meta({ description: 'The job, if it was committed. It runs later.' }),
    }),
    when: 'The queue store does not answer.',
    advice:
      'Without `details.job_id`, retry after `Retry-After`: the service wrote nothing. With it, the job runs later: ask ' +
      '`get_job` for its result.',
    retry: 'unless_stored',
    example: { details: {} },
  }),
  job_timeout: defineError({
    status: 503,
    message: 'The job is still running. Send the same request again to get its result.',
    details: z.strictObject({ job_id: jobId }),
    when: 'The job did not finish within the wait limit of the gateway (`JOB_WAIT_MS`). The job continues.',
    advice:
      'Ask `get_job` for the result, or send the same request again within the hour. For a reconcile, or a scan, list or resolution of External Skills, only `get_job` has it: the same request starts another job.',
    retry: 'unless_stored',
    example: { details: exampleJob },
  }),
};
