import type { QueueName } from '@continuity/contract';
import type { JobAccepted, JobView } from '@continuity/contract/jobs';
import { isServerId, type JsonValue, type Sql, serviceError, statement } from '@continuity/shared/kernel';
import type { JobStatus } from './job.ts';

interface JobRow {
  job_id: string;
  queue: QueueName;
  operation: string;
  scope_id: string | null;
  status: JobStatus;
  progress: number | null;
  result: JsonValue;
  error: JobView['error'];
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

const selectJob = statement(
  'jobs_read',
  `SELECT job_id, queue, operation, scope_id, status, progress, result, error, created_at, started_at, finished_at
   FROM jobs WHERE tenant_id = $1 AND job_id = $2`,
);

/** The job as `get_job` answers it. Throws 404 `job_not_found`, for another tenant's id and for what is no id as well. */
export async function readJob(sql: Sql, tenantId: number, jobId: string): Promise<JobView> {
  const row = isServerId(jobId) ? await sql.first<JobRow>(selectJob, [tenantId, jobId]) : undefined;
  if (row === undefined) throw serviceError('job_not_found');
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** The body of a 202. */
export function acceptedJob(jobId: string, status: JobStatus): JobAccepted {
  return { job_id: jobId, status, status_url: `/v1/jobs/${jobId}` };
}
