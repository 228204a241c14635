import { z } from 'zod';
import { json, jsonObject, time } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { queueNames } from './catalogue.ts';

const jobId = z.string().meta({ description: 'The `job_id` of a 202 or of a `job_timeout`.' });

/** The answer to `Prefer: respond-async` (spec 00 §7). */
export const jobAccepted = z
  .strictObject({
    job_id: jobId,
    status: z.enum(['queued', 'running', 'succeeded', 'failed']),
    status_url: z.string().meta({ description: 'Path of `get_job` for this job.' }),
  })
  .meta({ id: 'JobAccepted', description: 'A job that continues in the background.' });

export type JobAccepted = z.infer<typeof jobAccepted>;

export const jobView = z
  .strictObject({
    job_id: jobId,
    queue: z.enum(queueNames),
    operation: z.string().meta({ description: "The operation's id." }),
    scope_id: z.string().nullable(),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']),
    progress: z.number().min(0).max(1).nullable(),
    result: json.meta({
      description: 'The response of the operation; null until the job has succeeded.',
    }),
    error: z.strictObject({ code: z.string(), message: z.string(), details: jsonObject }).nullable(),
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
  })
  .meta({ id: 'Job' });

export type JobView = z.infer<typeof jobView>;

export const getJob = defineOperation({
  id: 'get_job',
  method: 'GET',
  path: '/v1/jobs/{job_id}',
  tag: 'jobs',
  summary: 'Get a job',
  description: 'Status and result of a job. The service deletes a job one day after its end.',
  auth: 'bearer',
  // Accepts any text, so that a malformed id is unknown like the id of another tenant.
  params: z.strictObject({ job_id: jobId }),
  status: 200,
  response: jobView,
  errors: ['job_not_found'],
  run: 'direct',
  examples: [
    {
      summary: 'A finished flush',
      parameters: { job_id: '019a9f40-6c00-7000-8000-000000000001' },
      response: {
        job_id: '019a9f40-6c00-7000-8000-000000000001',
        queue: 'memory-flush',
        operation: 'flush_memory',
        scope_id: 'project-alpha',
        status: 'succeeded',
        progress: null,
        result: {
          status: 'processed',
          previous_cursor: 0,
          current_cursor: 3,
          high_watermark: 3,
          processed_source_count: 3,
          memory: { family: 'memory', artifact_id: 'memory', revision: 2 },
        },
        error: null,
        created_at: '2026-11-20T10:00:00.000Z',
        started_at: '2026-11-20T10:00:00.004Z',
        finished_at: '2026-11-20T10:00:01.250Z',
      },
    },
  ],
});

export const jobOperations = { get_job: getJob };
