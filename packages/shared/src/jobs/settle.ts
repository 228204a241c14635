import type { JobStatus } from '@continuity/contract';
import { column, pick, type Sql, statement, tables } from '@continuity/kernel/database';
import type { QueueEntry } from '@continuity/kernel/queue';
import { jobsChannel } from './finish.ts';
import { isQueued } from './has-status.ts';
import type { ClaimedJob } from './job.ts';

/**
 * Skips a locked job, so that a row that a frozen process has locked delays no other group. The process that holds the lock claims
 * the job, cancels it or adds an entry for it. If it does none of these, the sweep adds an entry.
 */
const settle = statement(
  'jobs_settle',
  `WITH run AS MATERIALIZED (
     SELECT * FROM unnest($1::int[], $2::uuid[], $3::int[], $4::text[], $5::text[]) WITH ORDINALITY
       AS run (tenant_id, job_id, attempt, queue, job_group, place)
   ), waiting AS MATERIALIZED (
     SELECT run.place, first.tenant_id, first.job_id FROM run CROSS JOIN LATERAL (
       SELECT tenant_id, job_id FROM jobs
       WHERE jobs.tenant_id = run.tenant_id AND jobs.queue = run.queue AND jobs.job_group = run.job_group AND ${isQueued()}
       ORDER BY background, job_id LIMIT 1 FOR UPDATE SKIP LOCKED) first
   ), next AS (
     UPDATE jobs SET enqueues = enqueues + 1, enqueued_at = now()
     FROM waiting WHERE jobs.tenant_id = waiting.tenant_id AND jobs.job_id = waiting.job_id
     RETURNING place, jobs.job_id, background, enqueues
   )
   SELECT jobs.status, next.job_id, next.background, next.enqueues,
     CASE WHEN jobs.status IN ('succeeded', 'failed') AND jobs.awaited_until > now()
       THEN pg_notify('${jobsChannel}', jobs.job_id::text)::text END AS notified
   FROM run
   LEFT JOIN jobs ON jobs.tenant_id = run.tenant_id AND jobs.job_id = run.job_id AND jobs.attempt = run.attempt
   LEFT JOIN next ON next.place = run.place
   ORDER BY run.place`,
  {
    ...pick(tables.jobs, 'background', 'enqueues'),
    status: column.text.orNull().as<JobStatus>(),
    job_id: tables.jobs.job_id.orNull(),
    notified: column.text.orNull(),
  },
);

export interface Settled {
  /** Null when the job was requeued during the run. */
  status: JobStatus | null;
  /** The next queued job of the group. */
  next: QueueEntry | undefined;
}

/**
 * Reads the status of jobs after their runs, notifies the gateways that wait for them, and selects the next job of each group. Runs
 * after the commits of the runs: a job that was written before such a commit is found here, one that is written after it can be
 * claimed.
 */
export async function settleJobs(sql: Sql, jobs: ClaimedJob[]): Promise<Settled[]> {
  const rows = await sql.rows(settle, [
    jobs.map(({ tenantId }) => tenantId),
    jobs.map(({ jobId }) => jobId),
    jobs.map(({ attempt }) => attempt),
    jobs.map(({ queue }) => queue),
    jobs.map(({ group }) => group),
  ]);
  return jobs.map(({ queue, hostId, tenantId }, index) => {
    const { status = null, job_id: jobId = null, background = false, enqueues = 0 } = rows[index] ?? {};
    return {
      status,
      next: jobId === null ? undefined : { queue, hostId, tenantId, jobId, background, enqueues },
    };
  });
}
