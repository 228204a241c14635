import { type JobStatus, jobStatuses, type QueueName, queueNames } from '@continuity/contract';
import type { JobAccepted, JobSummary } from '@continuity/contract/jobs';
import { column, pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { isServerId, lowestId } from '@continuity/kernel/text';
import { type CursorCodec, type JsonAnswer, jsonAnswer } from '@continuity/shared/handlers';
import { z } from 'zod';
import { presentSummary, summaryColumns, summaryList } from './job.ts';

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

/** A page of the tenant's jobs. The times are exclusive. */
interface JobList {
  tenantId: TenantId;
  scope_id?: string | undefined;
  queue?: QueueName | undefined;
  status?: JobStatus | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

interface JobPage {
  items: JobSummary[];
  next_cursor: string | null;
}

/** Creation and id of the last job of a page. */
const position = z.tuple([z.string(), z.uuid()]);

/**
 * Reads one index range for each queue and status, so that a page costs the same whatever the number of jobs and whichever the
 * filters.
 */
function selectPage(name: string, condition: string) {
  return statement(
    name,
    `WITH page AS (
       SELECT found.job_id, found.created_at
       FROM unnest($2::text[]) AS one_queue, unnest($3::text[]) AS one_status, LATERAL (
         SELECT job_id, created_at FROM jobs
         WHERE tenant_id = $1 AND queue = one_queue COLLATE "C" AND status = one_status COLLATE "C" ${condition}
           AND created_at > $4 AND (created_at, job_id) < ($5, $6)
         ORDER BY created_at DESC, job_id DESC LIMIT $7) found
       ORDER BY found.created_at DESC, found.job_id DESC LIMIT $7
     )
     SELECT ${summaryList} FROM page JOIN jobs USING (job_id) WHERE tenant_id = $1
     ORDER BY jobs.created_at DESC, job_id DESC`,
    { ...summaryColumns, ...pick(tables.jobs, 'created_at') },
  );
}

const selectAll = selectPage('jobs_list', '');
const selectOfScope = selectPage('jobs_list_of_scope', 'AND scope_id = $8');

/** Reads one page of the tenant's jobs, newest first (spec 00 §8.1). Throws 400 `invalid_cursor`. */
export async function listJobs(sql: Sql, cursors: CursorCodec, list: JobList): Promise<JobPage> {
  const { tenantId, scope_id, queue, status, created_after, created_before, limit, cursor } = list;
  const filters = [scope_id, queue, status, created_after, created_before].map((filter) => filter ?? null);
  const binding = { tenantId, operation: 'list_jobs', query: filters };
  const [before, beforeId] =
    cursor === undefined
      ? [created_before ?? 'infinity', lowestId]
      : cursors.decode(binding, cursor, position);
  const values = [
    tenantId,
    queue === undefined ? queueNames : [queue],
    status === undefined ? jobStatuses : [status],
    created_after ?? '-infinity',
    before,
    beforeId,
    limit + 1,
  ];
  const rows =
    scope_id === undefined
      ? await sql.rows(selectAll, values)
      : await sql.rows(selectOfScope, [...values, scope_id]);
  const items = rows.slice(0, limit).map(presentSummary);
  const last = rows.length > limit ? items.at(-1) : undefined;
  const next_cursor = last === undefined ? null : cursors.encode(binding, [last.created_at, last.job_id]);
  return { items, next_cursor };
}
