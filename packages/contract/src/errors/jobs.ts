import { z } from 'zod';
import { queueNames } from '../jobs/catalogue.ts';
import { defineError, noDetails } from './record.ts';

const jobId = z.string().meta({ description: 'For `get_job`.' });
const exampleJob = { job_id: '019a9f40-6c00-7000-8000-000000000001' };

/** Errors of jobs and queues. */
export const jobErrors = {
  job_not_found: defineError({
    status: 404,
    message: 'There is no such job.',
    details: noDetails,
    when: 'No job has the id, or it ended more than a day ago.',
    advice: 'Correct the id, or send the original request again.',
  }),
  worker_unavailable: defineError({
    status: 503,
    message: 'No worker for this operation is running. Retry after the time in Retry-After.',
    details: z.strictObject({
      queue: z.enum(queueNames),
      host_id: z.string().optional().meta({ description: 'The host whose workers alone can run the job.' }),
    }),
    when: 'No live worker takes jobs of the queue of the operation, and of the host that the request names.',
    advice:
      'Retry after `Retry-After`. The service wrote nothing. If it lasts, the operator should start a worker.',
    retryable: true,
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
      'Without a `job_id`, retry after `Retry-After`: the service wrote nothing. With one, the job runs later: ask ' +
      '`get_job` for its result.',
    retryable: true,
    example: { details: {} },
  }),
  job_timeout: defineError({
    status: 503,
    message: 'The job is still running. Send the same request again to get its result.',
    details: z.strictObject({ job_id: jobId }),
    when: 'The job did not finish within the wait limit of the gateway (`JOB_WAIT_MS`). It keeps running.',
    advice: 'Send the same request again within the hour to get its result, or ask `get_job` for it.',
    retryable: true,
    example: { details: exampleJob },
  }),
};
