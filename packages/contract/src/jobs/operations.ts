import { z } from 'zod';
import { decimal, int, json, jsonObject, scopeId, str, time } from '../notation/shapes.ts';
import { requestTime } from '../notation/times.ts';
import { defineOperation } from '../operations/operation.ts';
import { jobStatus, queueNames } from './catalog.ts';

const jobId = z
  .string()
  .meta({ description: 'The `job_id` of a 202, of a `job_timeout` or of `list_jobs`.' });

/** The answer to `Prefer: respond-async` (spec 00 §7). */
export const jobAccepted = z
  .strictObject({
    job_id: jobId,
    status: jobStatus,
    status_url: z.string().meta({ description: 'Path of `get_job` for this job.' }),
  })
  .meta({ id: 'JobAccepted', description: 'A job that continues in the background.' });

export type JobAccepted = z.infer<typeof jobAccepted>;

const summaryFields = {
  job_id: jobId,
  queue: z.enum(queueNames),
  operation: z.string().meta({ description: "The operation's id." }),
  scope_id: z.string().nullable(),
  status: jobStatus,
  progress: z.number().min(0).max(1).nullable().meta({
    description: 'The share of the work that is done; null for jobs without equal steps.',
  }),
  error: z.strictObject({ code: z.string(), message: z.string(), details: jsonObject }).nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
};

export const jobView = z
  .strictObject({
    ...summaryFields,
    result: json.meta({
      description: 'The response of the operation; null until the job has succeeded.',
    }),
  })
  .meta({ id: 'Job' });

export const jobSummary = z
  .strictObject(summaryFields)
  .meta({ id: 'JobSummary', description: 'A job without its result.' });

export type JobSummary = z.infer<typeof jobSummary>;

const exampleId = '019a9f40-6c00-7000-8000-000000000001';

const exampleSummary = {
  job_id: exampleId,
  queue: 'memory-flush',
  operation: 'flush_memory',
  scope_id: 'project-alpha',
  status: 'succeeded',
  progress: null,
  error: null,
  created_at: '2026-11-20T10:00:00.000Z',
  started_at: '2026-11-20T10:00:00.004Z',
  finished_at: '2026-11-20T10:00:01.250Z',
} as const;

const maxPageJobs = 200;

// Accepts any text, so that a malformed id is unknown like the id of another tenant.
const jobParams = z.strictObject({ job_id: jobId });

export const listJobs = defineOperation({
  id: 'list_jobs',
  method: 'GET',
  path: '/v1/jobs',
  tag: 'jobs',
  summary: 'List jobs',
  description:
    'Lists the jobs of the tenant, newest first, background flushes included. Filters combine. `cursor` continues the list of ' +
    'the same filters.',
  auth: 'bearer',
  query: z.object({
    scope_id: scopeId.optional(),
    queue: z.enum(queueNames).optional(),
    status: jobStatus.optional(),
    created_after: requestTime.optional().meta({ description: 'Exclusive.' }),
    created_before: requestTime.optional().meta({ description: 'Exclusive.' }),
    limit: decimal(1, maxPageJobs).default(50),
    cursor: str(1, 4096).optional(),
  }),
  status: 200,
  response: z
    .strictObject({ items: z.array(jobSummary).max(maxPageJobs), next_cursor: z.string().nullable() })
    .meta({ id: 'JobPage' }),
  errors: ['invalid_cursor'],
  run: 'direct',
  examples: [
    {
      summary: 'The last flush of a Scope',
      parameters: { scope_id: 'project-alpha', queue: 'memory-flush', limit: '1' },
      response: { items: [exampleSummary], next_cursor: null },
    },
  ],
});

export const getJob = defineOperation({
  id: 'get_job',
  method: 'GET',
  path: '/v1/jobs/{job_id}',
  tag: 'jobs',
  summary: 'Get a job',
  description:
    'Status and result of a job. The service deletes failed jobs after `JOB_FAILED_RETENTION_DAYS`, reconciles of remote ' +
    'targets an hour after their end, and other jobs after a day.',
  auth: 'bearer',
  params: jobParams,
  status: 200,
  response: jobView,
  errors: ['job_not_found'],
  run: 'direct',
  examples: [
    {
      summary: 'A finished flush',
      parameters: { job_id: exampleId },
      response: {
        ...exampleSummary,
        result: {
          status: 'processed',
          previous_cursor: 0,
          current_cursor: 3,
          high_watermark: 3,
          processed_source_count: 3,
          memory: { family: 'memory', artifact_id: 'memory', revision: 2 },
        },
      },
    },
  ],
});

export const cancelJob = defineOperation({
  id: 'cancel_job',
  method: 'POST',
  path: '/v1/jobs/{job_id}/cancel',
  tag: 'jobs',
  summary: 'Cancel a job',
  description:
    'Cancels a queued or running job, for all callers who wait for it. Its worker stops at its next step, and commits ' +
    'nothing after the cancellation. If the job is already cancelled, returns it unchanged.',
  auth: 'bearer',
  params: jobParams,
  status: 200,
  response: jobView,
  errors: ['job_not_found', 'job_conflict'],
  run: 'direct',
  examples: [
    {
      summary: 'A flush that was queued',
      parameters: { job_id: exampleId },
      response: {
        ...exampleSummary,
        status: 'cancelled',
        result: null,
        error: { code: 'job_cancelled', message: 'The job was cancelled.', details: { job_id: exampleId } },
        started_at: null,
      },
    },
  ],
});

export const retryJob = defineOperation({
  id: 'retry_job',
  method: 'POST',
  path: '/v1/jobs/{job_id}/retry',
  tag: 'jobs',
  summary: 'Retry a job',
  description: 'Queues a failed or cancelled job again under its id, with a fresh count of attempts.',
  auth: 'bearer',
  params: jobParams,
  status: 202,
  response: jobAccepted,
  responseHeaders: { Location: 'Path of the job.' },
  errors: ['job_not_found', 'job_conflict', 'worker_unavailable', 'queue_unavailable'],
  isUnsafeToRepeat: true,
  run: 'direct',
  examples: [
    {
      summary: 'Queued again',
      parameters: { job_id: exampleId },
      response: { job_id: exampleId, status: 'queued', status_url: `/v1/jobs/${exampleId}` },
    },
  ],
});

/** Limit of the jobs that `list_queues` counts of each status. */
export const maxCountedJobs = 1000;

const jobCount = z.strictObject({ value: int(0, maxCountedJobs), exact: z.boolean() }).meta({
  id: 'JobCount',
  description: 'The number of jobs, up to 1,000: `exact` is false if there are more.',
});

const oldestTime = time.nullable().meta({ description: 'Creation of the oldest such job.' });

const queueView = z
  .strictObject({
    queue: z.enum(queueNames),
    has_worker: z
      .boolean()
      .meta({ description: 'Whether a live worker takes jobs of the queue, of any host.' }),
    queued: jobCount,
    running: jobCount,
    failed: jobCount,
    oldest_queued_at: oldestTime,
    oldest_running_at: oldestTime,
  })
  .meta({ id: 'QueueView' });

export type QueueView = z.infer<typeof queueView>;

const none = { value: 0, exact: true };

export const listQueues = defineOperation({
  id: 'list_queues',
  method: 'GET',
  path: '/v1/queues',
  tag: 'jobs',
  summary: 'List the queues, with the jobs of the tenant in each',
  description:
    'Counts the jobs of the tenant alone, background flushes included, and says which queues have a live worker.',
  auth: 'bearer',
  status: 200,
  response: z.strictObject({ queues: z.array(queueView).min(1).max(16) }).meta({ id: 'QueueList' }),
  errors: [],
  run: 'direct',
  examples: [
    {
      summary: 'Two flushes wait, and nobody renders reports',
      response: {
        queues: queueNames.map((queue) => {
          const idle = {
            queue,
            has_worker: queue !== 'report-render',
            queued: none,
            running: none,
            failed: none,
          };
          const times = { oldest_queued_at: null, oldest_running_at: null };
          if (queue !== 'memory-flush') return { ...idle, ...times };
          const oldest_queued_at = '2026-11-20T10:00:00.000Z';
          return { ...idle, ...times, queued: { value: 2, exact: true }, oldest_queued_at };
        }),
      },
    },
  ],
});

export const jobOperations = {
  list_queues: listQueues,
  list_jobs: listJobs,
  get_job: getJob,
  cancel_job: cancelJob,
  retry_job: retryJob,
};
