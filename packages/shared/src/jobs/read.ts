import type { JobStatus, QueueName } from '@continuity/contract';
import type { JobAccepted, JobSummary } from '@continuity/contract/jobs';
import { column, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { isServerId } from '@continuity/kernel/text';
import { type JsonAnswer, jsonAnswer } from '@continuity/shared/handlers';
import { presentSummary, summaryColumns, summaryList } from './summary.ts';

const selectJob = statement(
  'jobs_read',
  `SELECT ${summaryList}, result::text AS result FROM jobs WHERE tenant_id = $1 AND job_id = $2`,
  { ...summaryColumns, result: column.text.orNull() },
);

/** Reads the answer of an operation for a result that its job row stores in another form; undefined if it is gone. Both are JSON. */
export type ReadResult = (
  tenantId: TenantId,
  job: { queue: QueueName; result: string },
) => Promise<string | undefined>;

const readStoredResult: ReadResult = async (_tenantId, { result }) => result;

/** A job, and its result as JSON. */
export interface StoredJob {
  summary: JobSummary;
  result: string | null;
}

/** Throws 404 `job_not_found`, for another tenant's id and for what is no id as well. */
export async function readJob(
  sql: Sql,
  tenantId: TenantId,
  jobId: string,
  readResult: ReadResult = readStoredResult,
): Promise<StoredJob> {
  const row = isServerId(jobId) ? await sql.first(selectJob, [tenantId, jobId]) : undefined;
  if (row === undefined) throw serviceError('job_not_found');
  const { result: stored, ...summary } = row;
  const result = stored === null ? null : await readResult(tenantId, { queue: row.queue, result: stored });
  if (result === undefined) throw serviceError('job_not_found');
  return { summary: presentSummary(summary), result };
}

/** The job as `get_job` answers it. The result stays text: a report of 10 MB takes 100 ms to parse and to write again. */
export function jobAnswer({ summary, result }: StoredJob): JsonAnswer {
  return jsonAnswer(`${JSON.stringify(summary).slice(0, -1)},"result":${result}}`);
}

/** The body of a 202. */
export function acceptedJob(jobId: string, status: JobStatus): JobAccepted {
  return { job_id: jobId, status, status_url: `/v1/jobs/${jobId}` };
}
