import type { JobStatus, QueueName } from '@continuity/contract';
import { type Database, pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { isUniqueViolation, type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { QueueAddress, QueueEntry } from '@continuity/kernel/queue';
import { isServerId } from '@continuity/kernel/text';
import { hasStatus } from './job.ts';

const selectState = statement(
  'jobs_select_state',
  'SELECT queue, host_id, status FROM jobs WHERE tenant_id = $1 AND job_id = $2',
  {
    ...pick(tables.jobs, 'host_id'),
    queue: tables.jobs.queue.as<QueueName>(),
    status: tables.jobs.status.as<JobStatus>(),
  },
);

/**
 * Fields of a job that is queued again under its id. The fence of earlier runs needs the attempt number, so it stays. So does the
 * wait of a caller who has not received the first end yet: it gets the second one.
 */
export const queuedAgain = `status = 'queued', background = false, lost_workers = 0, error = NULL, result = NULL, progress = NULL,
  worker_id = NULL, started_at = NULL, finished_at = NULL, delivered_at = now()`;

const queueAgain = statement(
  'jobs_retry',
  `WITH earlier AS (
     SELECT job_id, error FROM jobs
     WHERE tenant_id = $1 AND job_id = $2 AND ${hasStatus('failed', 'cancelled')} FOR UPDATE
   )
   UPDATE jobs SET ${queuedAgain}, enqueues = enqueues + 1, enqueued_at = now()
   FROM earlier WHERE jobs.tenant_id = $1 AND jobs.job_id = earlier.job_id
   RETURNING queue, host_id, operation, enqueues, earlier.error`,
  {
    ...pick(tables.jobs, 'host_id', 'operation', 'enqueues'),
    queue: tables.jobs.queue.as<QueueName>(),
    error: tables.jobs.error.as<{ code: string }>(),
  },
);

/** A job that was queued again. */
interface RetriedJob {
  entry: QueueEntry;
  operation: string;
  /** Code of the error that the job had; null without one. */
  earlierCode: string | null;
}

/** Finds the queue of a job to retry. Throws 404 `job_not_found` and 409 `job_conflict`. */
export async function findRetryable(sql: Sql, tenantId: TenantId, jobId: string): Promise<QueueAddress> {
  const job = isServerId(jobId) ? await sql.first(selectState, [tenantId, jobId]) : undefined;
  if (job === undefined) throw serviceError('job_not_found');
  if (!isRetryable(job.status)) throw notRetryable(job.status);
  return { queue: job.queue, hostId: job.host_id };
}

/** Queues a failed or cancelled job again (spec 00 §8.3). Throws as `findRetryable`. */
export async function retryJob(database: Database, tenantId: TenantId, jobId: string): Promise<RetriedJob> {
  const { lockingSql, sql } = database.limitedBy(`${tenantId} ${jobId}`);
  const row = await lockingSql.first(queueAgain, [tenantId, jobId]).catch((error: unknown) => {
    // Another job of the same key is queued or running.
    if (isUniqueViolation(error, 'jobs_work_key')) return undefined;
    throw error;
  });
  if (row === undefined) throw await refusal(sql, tenantId, jobId);
  const { queue, host_id, operation, enqueues, error } = row;
  const entry = { queue, hostId: host_id, tenantId, jobId, enqueues, background: false };
  return { entry, operation, earlierCode: error?.code ?? null };
}

async function refusal(sql: Sql, tenantId: TenantId, jobId: string): Promise<ServiceError> {
  const job = await sql.first(selectState, [tenantId, jobId]);
  if (job === undefined) return serviceError('job_not_found');
  if (!isRetryable(job.status)) return notRetryable(job.status);
  return serviceError('job_conflict', {
    message: 'Another job that is queued or running does the same work.',
    details: { status: job.status },
  });
}

function isRetryable(status: JobStatus): boolean {
  return status === 'failed' || status === 'cancelled';
}

function notRetryable(status: JobStatus): ServiceError {
  return serviceError('job_conflict', {
    message: `The job is ${status}. Only a failed or cancelled job can be retried.`,
    details: { status },
  });
}
