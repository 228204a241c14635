import type { JobStatus, QueueName } from '@continuity/contract';
import {
  column,
  deploymentStatement,
  isWritableHere,
  pick,
  type Sql,
  tables,
} from '@continuity/kernel/database';
import type { QueueEntry } from '@continuity/kernel/queue';
import { jobsChannel } from './finish.ts';
import { type ClaimedJob, storedErrorOf } from './job.ts';
import { attemptLimits, forgottenMs, isRecent, lostMs, sweepBatch } from './times.ts';

/** A job that was taken from its run. */
export interface Requeued {
  entry: QueueEntry;
  /** `failed` when the job has lost too many workers. */
  status: JobStatus;
}

/** Limit of lost workers of a job in SQL; none for a job that this release does not know. */
const attemptLimit = 'coalesce(($1::jsonb ->> operation)::int, 2147483647)';

/**
 * Turns running jobs into queued ones. The attempt number stays; the next claim raises it. A background job continues as a
 * delivered foreground job, because its group may hold one queued background job at most. Locked rows are being finished and
 * are skipped. $1 maps each job's name to its limit of lost workers.
 *
 * With `isCounted`, the jobs of a lost worker are suspects from then on. The loss counts against a job that was alone in its worker,
 * or that was a suspect before.
 */
function requeueStatement(name: string, which: string, isCounted = false) {
  const isBlamed = `(${isCounted} AND (is_suspect OR NOT EXISTS (
    SELECT FROM jobs peer
    WHERE peer.queue = ANY($3) AND peer.status = 'running' AND peer.worker_id = jobs.worker_id
      AND (peer.tenant_id, peer.job_id) <> (jobs.tenant_id, jobs.job_id))))`;
  return deploymentStatement(
    name,
    `WITH lost AS (
       SELECT tenant_id, job_id, lost_workers + ${isBlamed}::int AS lost_workers,
         lost_workers + ${isBlamed}::int >= ${attemptLimit} AS is_failed
       FROM jobs WHERE status = 'running' AND ${which} AND ${isWritableHere('jobs.tenant_id')}
       LIMIT ${sweepBatch} FOR UPDATE SKIP LOCKED
     ), requeued AS (
       UPDATE jobs SET
         status = CASE WHEN is_failed THEN 'failed' ELSE 'queued' END,
         error = CASE WHEN is_failed THEN $2::jsonb END,
         finished_at = CASE WHEN is_failed THEN now() END,
         started_at = CASE WHEN is_failed THEN started_at END,
         lost_workers = lost.lost_workers, is_suspect = is_suspect OR ${isCounted},
         worker_id = NULL, progress = NULL, background = false,
         delivered_at = CASE WHEN background THEN now() ELSE delivered_at END,
         enqueues = enqueues + 1, enqueued_at = now()
       FROM lost WHERE jobs.tenant_id = lost.tenant_id AND jobs.job_id = lost.job_id
       RETURNING jobs.tenant_id, jobs.job_id, queue, host_id, background, enqueues, status, awaited_until
     )
     SELECT tenant_id, job_id, queue, host_id, background, enqueues, status,
       CASE WHEN status = 'failed' AND awaited_until > now() THEN pg_notify('${jobsChannel}', job_id::text)::text END AS notified
     FROM requeued`,
    {
      ...pick(tables.jobs, 'tenant_id', 'job_id', 'host_id', 'background', 'enqueues'),
      queue: tables.jobs.queue.as<QueueName>(),
      status: tables.jobs.status.as<JobStatus>(),
      notified: column.text.orNull(),
    },
  );
}

const ofLostWorkers = requeueStatement(
  'jobs_requeue_lost',
  `queue = ANY($3) AND NOT EXISTS (
     SELECT FROM workers WHERE workers.worker_id = jobs.worker_id AND ${isRecent('seen_at', lostMs)})`,
  true,
);

const ofThisWorker = requeueStatement('jobs_requeue_own', 'queue = ANY($3) AND worker_id = $4');

const forgotten = requeueStatement(
  'jobs_requeue_forgotten',
  `queue = ANY($3) AND worker_id = $4 AND NOT (${isRecent('started_at', forgottenMs)})
   AND (job_id, attempt) NOT IN (SELECT * FROM unnest($5::uuid[], $6::int[]))`,
);

/** Requeues the jobs of workers without a recent heartbeat. */
export async function requeueLost(sql: Sql, queues: readonly QueueName[]): Promise<Requeued[]> {
  return await requeue(sql, ofLostWorkers, queues);
}

/** Requeues the jobs that a stopping worker still runs, which does not count against them. */
export async function requeueOwn(
  sql: Sql,
  queues: readonly QueueName[],
  workerId: string,
): Promise<Requeued[]> {
  return await requeue(sql, ofThisWorker, queues, workerId);
}

/** Requeues jobs that this worker holds but does not run: the answer to their claim was lost. */
export async function requeueForgotten(
  sql: Sql,
  queues: readonly QueueName[],
  workerId: string,
  running: ClaimedJob[],
): Promise<Requeued[]> {
  const ids = running.map(({ jobId }) => jobId);
  const attempts = running.map(({ attempt }) => attempt);
  return await requeue(sql, forgotten, queues, workerId, ids, attempts);
}

async function requeue(
  sql: Sql,
  which: typeof ofLostWorkers,
  queues: readonly QueueName[],
  ...more: unknown[]
): Promise<Requeued[]> {
  const error = JSON.stringify(storedErrorOf(undefined));
  const rows = await sql.rows(which, [JSON.stringify(attemptLimits), error, queues, ...more]);
  return rows.map(({ tenant_id, job_id, queue, host_id, background, enqueues, status }) => ({
    entry: { tenantId: tenant_id, jobId: job_id, queue, hostId: host_id, background, enqueues },
    status,
  }));
}
