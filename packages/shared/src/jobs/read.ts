import type { QueueName } from '@continuity/contract';
import type { JobAccepted, JobView } from '@continuity/contract/jobs';
import {
  isServerId,
  type JsonValue,
  pick,
  type Sql,
  serviceError,
  statement,
  type TenantId,
  tables,
} from '@continuity/shared/kernel';
import type { JobStatus } from './job.ts';

const selectJob = statement(
  'jobs_read',
  `SELECT job_id, queue, operation, scope_id, status, progress, result, error, created_at, started_at, finished_at
   FROM jobs WHERE tenant_id = $1 AND job_id = $2`,
  {
    ...pick(
      tables.jobs,
      'job_id',
      'operation',
      'scope_id',
      'progress',
      'created_at',
      'started_at',
      'finished_at',
    ),
    queue: tables.jobs.queue.as<QueueName>(),
    status: tables.jobs.status.as<JobStatus>(),
    result: tables.jobs.result.as<JsonValue>(),
    error: tables.jobs.error.as<NonNullable<JobView['error']>>(),
  },
);

/** Reads the answer of an operation for a result that its job row stores in another form; undefined if it is gone. */
export type ReadResult = (
  tenantId: TenantId,
  job: { queue: QueueName; result: JsonValue },
) => Promise<JsonValue | undefined>;

const readStoredResult: ReadResult = async (_tenantId, { result }) => result;

/** The job as `get_job` answers it. Throws 404 `job_not_found`, for another tenant's id and for what is no id as well. */
export async function readJob(
  sql: Sql,
  tenantId: TenantId,
  jobId: string,
  readResult: ReadResult = readStoredResult,
): Promise<JobView> {
  const row = isServerId(jobId) ? await sql.first(selectJob, [tenantId, jobId]) : undefined;
  if (row === undefined) throw serviceError('job_not_found');
  const result = row.result === null ? null : await readResult(tenantId, row);
  if (result === undefined) throw serviceError('job_not_found');
  return {
    ...row,
    result,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** The body of a 202. */
export function acceptedJob(jobId: string, status: JobStatus): JobAccepted {
  return { job_id: jobId, status, status_url: `/v1/jobs/${jobId}` };
}
