import { type QueueName, reportQueue } from '@continuity/contract';
import {
  column,
  type Database,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { isServerId } from '@continuity/kernel/text';
import { jobsChannel } from './finish.ts';
import { hasStatus, type OnJobEvent } from './job.ts';
import { type ReadResult, readJob, type StoredJob } from './read.ts';

/**
 * The fence of a running job refuses its effects from here on, and the next heartbeat of its worker aborts the run. The row lock
 * orders this statement and the end of the run: what has committed first stays.
 */
const cancel = statement(
  'jobs_cancel',
  `WITH cancelled AS (
     UPDATE jobs SET status = 'cancelled', error = $3::jsonb, finished_at = now()
     WHERE tenant_id = $1 AND job_id = $2 AND ${hasStatus('queued', 'running')}
     RETURNING job_id, queue, started_at IS NOT NULL AS was_running, awaited_until > now() AS is_awaited
   )
   SELECT queue, was_running,
     CASE WHEN is_awaited THEN pg_notify('${jobsChannel}', job_id::text)::text END AS notified
   FROM cancelled`,
  {
    queue: tables.jobs.queue.as<QueueName>(),
    was_running: column.boolean,
    notified: column.text.orNull(),
  },
);

interface CancelDeps {
  database: Database;
  readResult: ReadResult;
  onJobEvent: OnJobEvent;
}

/**
 * Cancels a job that has not ended, for all its callers (spec 00 §8.2), and returns it as it is afterwards. Throws 404
 * `job_not_found`, and 409 `job_conflict` for a job that has succeeded or failed.
 */
export async function cancelJob(
  { database, readResult, onJobEvent }: CancelDeps,
  tenantId: TenantId,
  jobId: string,
): Promise<StoredJob> {
  if (!isServerId(jobId)) throw serviceError('job_not_found');
  // A frozen worker may hold the row.
  const { lockingSql } = database.limitedBy(`${tenantId} ${jobId}`);
  const error = serviceError('job_cancelled', { details: { job_id: jobId } }).toBody();
  const cancelled = await lockingSql.first(cancel, [tenantId, jobId, JSON.stringify(error)]);
  // The worker reports the end of a run.
  if (cancelled?.was_running === false) onJobEvent({ queue: cancelled.queue, event: 'cancelled', ms: 0 });
  const job = await readJob(database.sql, tenantId, jobId, readResult);
  const { status } = job.summary;
  if (cancelled === undefined && status !== 'cancelled') {
    throw serviceError('job_conflict', {
      message: `The job has ${status}, so it cannot be cancelled.`,
      details: { status },
    });
  }
  return job;
}

const deleteEnded = statement(
  'jobs_delete_ended_reports',
  `DELETE FROM jobs
   WHERE tenant_id = $1 AND queue = '${reportQueue}' AND request ->> 'project_id' = $2 AND status NOT IN ('queued', 'running')`,
);

/** Deletes the ended report jobs of a Project. A request that still waits for one throws 404 `job_not_found`. */
export async function deleteEndedReportJobs(sql: Sql, tenantId: TenantId, projectId: string): Promise<void> {
  await sql.rows(deleteEnded, [tenantId, projectId]);
}
