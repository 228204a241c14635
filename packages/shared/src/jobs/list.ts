import { type JobStatus, jobStatuses, type QueueName, queueNames } from '@continuity/contract';
import type { JobSummary } from '@continuity/contract/jobs';
import { pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { lowestId } from '@continuity/kernel/text';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { presentSummary, summaryColumns, summaryList } from './summary.ts';

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
