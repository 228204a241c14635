import type { JobStatus, QueueName } from '@continuity/contract';
import { column, deploymentStatement, pick, type Sql, tables } from '@continuity/shared/kernel';
import type { QueueEntry } from '@continuity/shared/kernel/queue';
import { jobsChannel } from './finish.ts';
import { type ClaimedJob, storedErrorOf } from './job.ts';
import { attemptLimits, sweepBatch } from './limits.ts';
import { forgottenMs, isRecent, lostMs } from './times.ts';

/** A job that was taken from its run. */
export interface Requeued {
  entry: QueueEntry;
  /** `failed` when the job has used all its attempts. */
  status: JobStatus;
}

const attemptLimit = 'coalesce(($1::jsonb ->> operation)::int, 2147483647)';

/**
 * Turns running jobs into queued ones. The attempt number stays; the next claim raises it. A background job continues as a
 * delivered foreground job, because its group may hold one queued background job at most. Locked rows are being finished and
 * are skipped. $1 maps each job's name to its limit of attempts; without an entry, the job is always requeued.
 */
function requeueStatement(name: string, which: string) {
  return deploymentStatement(
    name,
    `WITH lost AS (
       SELECT tenant_id, job_id FROM jobs WHERE status = 'running' AND ${which}
       LIMIT ${sweepBatch} FOR UPDATE SKIP LOCKED
     ), requeued AS (
       UPDATE jobs SET
         status = CASE WHEN attempt < ${attemptLimit} THEN 'queued' ELSE 'failed' END,
         error = CASE WHEN attempt < ${attemptLimit} THEN NULL ELSE $2::jsonb END,
         finished_at = CASE WHEN attempt < ${attemptLimit} THEN NULL ELSE now() END,
         started_at = CASE WHEN attempt < ${attemptLimit} THEN NULL ELSE started_at END,
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
);

const ofThisWorker = requeueStatement('jobs_requeue_own', 'queue = ANY($3) AND worker_id = $4');

const forgotten = requeueStatement(
  'jobs_requeue_forgotten',
  `queue = ANY($3) AND worker_id = $4 AND NOT (${isRecent('started_at', forgottenMs)})
   AND (job_id, attempt) NOT IN (SELECT * FROM unnest($5::uuid[], $6::int[]))`,
);

/** Requeues the jobs of workers without a recent heartbeat. */
export async function requeueLost(sql: Sql, queues: readonly QueueName[]): Promise<Requeued[]> {
  return await requeue(sql, ofLostWorkers, attemptLimits, queues);
}

/** Requeues the jobs that a stopping worker still runs. */
export async function requeueOwn(
  sql: Sql,
  queues: readonly QueueName[],
  workerId: string,
): Promise<Requeued[]> {
  // A stop of the worker does not count against the job.
  return await requeue(sql, ofThisWorker, {}, queues, workerId);
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
  return await requeue(sql, forgotten, attemptLimits, queues, workerId, ids, attempts);
}

async function requeue(
  sql: Sql,
  which: typeof ofLostWorkers,
  limits: Record<string, number>,
  queues: readonly QueueName[],
  ...more: unknown[]
): Promise<Requeued[]> {
  const error = JSON.stringify(storedErrorOf(undefined));
  const rows = await sql.rows(which, [JSON.stringify(limits), error, queues, ...more]);
  return rows.map(({ tenant_id, job_id, queue, host_id, background, enqueues, status }) => ({
    entry: { tenantId: tenant_id, jobId: job_id, queue, hostId: host_id, background, enqueues },
    status,
  }));
}
