import { type QueueName, queueNames } from '@continuity/contract';
import { maxCountedJobs, type QueueView } from '@continuity/contract/jobs';
import {
  column,
  optimizationFence,
  type RowOfStatement,
  type Sql,
  statement,
  type TenantId,
} from '@continuity/kernel/database';

const counted = ['queued', 'running', 'failed'] as const;

/**
 * Reads one index range for each queue and status, up to one job more than it counts. Only the index `jobs_list` gives the order without
 * a sort.
 */
const countStatement = statement(
  'jobs_count_by_queue',
  `SELECT one_queue AS queue, one_status AS status, found.jobs, found.oldest
   FROM unnest($2::text[]) AS one_queue, unnest($3::text[]) AS one_status, LATERAL (
     SELECT count(*) AS jobs, min(created_at) AS oldest FROM (
       SELECT created_at FROM jobs
       WHERE tenant_id = $1 AND queue = one_queue COLLATE "C" AND status = one_status COLLATE "C"
       ORDER BY created_at, job_id LIMIT ${maxCountedJobs + 1}
     ) AS job ${optimizationFence}
   ) AS found`,
  { queue: column.text, status: column.text, jobs: column.bigint, oldest: column.timestamptz.orNull() },
);

type CountRow = RowOfStatement<typeof countStatement>;

/** Counts a tenant's jobs by queue, each up to 1,000 (spec 60 §3.8). `live` has the queues with a live worker. */
export async function listQueues(
  sql: Sql,
  tenantId: TenantId,
  live: ReadonlySet<QueueName>,
): Promise<{ queues: QueueView[] }> {
  const rows = await sql.rows(countStatement, [tenantId, queueNames, counted]);
  const queues = queueNames.map((queue) => {
    const of = (status: (typeof counted)[number]) =>
      rows.find((row) => row.queue === queue && row.status === status);
    const [queued, running, failed] = [of('queued'), of('running'), of('failed')];
    return {
      queue,
      has_worker: live.has(queue),
      queued: countOf(queued),
      running: countOf(running),
      failed: countOf(failed),
      oldest_queued_at: queued?.oldest?.toISOString() ?? null,
      oldest_running_at: running?.oldest?.toISOString() ?? null,
    };
  });
  return { queues };
}

function countOf(row: CountRow | undefined): QueueView['queued'] {
  const jobs = row?.jobs ?? 0;
  return { value: Math.min(jobs, maxCountedJobs), exact: jobs <= maxCountedJobs };
}
