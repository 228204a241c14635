import type { JobStatus, QueueName } from '@continuity/contract';
import type { JobAccepted, JobView } from '@continuity/contract/jobs';
import {
  isServerId,
  type JsonValue,
  type Sql,
  serviceError,
  statement,
  type TenantId,
  tables,
} from '@continuity/shared/kernel';
import { presentSummary, summaryColumns, summaryList } from './summary.ts';

const selectJob = statement(
  'jobs_read',
  `SELECT ${summaryList}, result FROM jobs WHERE tenant_id = $1 AND job_id = $2`,
  { ...summaryColumns, result: tables.jobs.result.as<JsonValue>() },
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
  return { ...presentSummary(row), result };
}

/** The body of a 202. */
export function acceptedJob(jobId: string, status: JobStatus): JobAccepted {
  return { job_id: jobId, status, status_url: `/v1/jobs/${jobId}` };
}
