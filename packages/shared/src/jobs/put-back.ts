import type { QueueName } from '@continuity/contract';
import { type Sql, type Statement, statement } from '@continuity/shared/kernel';
import type { QueueEntry } from '@continuity/shared/kernel/queue';
import { jobsChannel } from './finish.ts';
import { type ClaimedJob, type JobStatus, storedErrorOf } from './job.ts';
import { maxAttempts, sweepBatch } from './limits.ts';
import { forgottenMs, lostMs, sqlInterval } from './times.ts';

/** A job that was taken away from its run. */
export interface PutBack {
  entry: QueueEntry;
  /** `failed` where it has cost too many workers their life. */
  status: JobStatus;
}

interface PutBackRow {
  tenant_id: number;
  job_id: string;
  queue: QueueName;
  background: boolean;
  enqueues: number;
  status: JobStatus;
}

/**
 * Running jobs become queued ones; the attempt stays, and the next claim raises it. A background job goes on as one that
 * was asked for (and delivered), because it was under way already, and because its lane may have another one waiting.
 * Rows that are locked are being finished, and are left alone.
 */
function putBackStatement(name: string, which: string): Statement {
  return statement(
    name,
    `WITH gone AS (
       SELECT tenant_id, job_id FROM jobs WHERE status = 'running' AND ${which}
       LIMIT ${sweepBatch} FOR UPDATE SKIP LOCKED
     ), back AS (
       UPDATE jobs SET
         status = CASE WHEN attempt < $1 THEN 'queued' ELSE 'failed' END,
         error = CASE WHEN attempt < $1 THEN NULL ELSE $2::jsonb END,
         finished_at = CASE WHEN attempt < $1 THEN NULL ELSE now() END,
         started_at = CASE WHEN attempt < $1 THEN NULL ELSE started_at END,
         worker_id = NULL, progress = NULL, background = false,
         delivered_at = CASE WHEN background THEN now() ELSE delivered_at END,
         enqueues = enqueues + 1, enqueued_at = now()
       FROM gone WHERE jobs.tenant_id = gone.tenant_id AND jobs.job_id = gone.job_id
       RETURNING jobs.tenant_id, jobs.job_id, queue, background, enqueues, status, awaited_until
     )
     SELECT tenant_id, job_id, queue, background, enqueues, status,
       CASE WHEN status = 'failed' AND awaited_until > now() THEN pg_notify('${jobsChannel}', job_id::text)::text END
     FROM back`,
  );
}

const ofLostWorkers = putBackStatement(
  'jobs_put_back_lost',
  `queue = ANY($3) AND NOT EXISTS (
     SELECT FROM workers WHERE workers.worker_id = jobs.worker_id AND seen_at > now() - ${sqlInterval(lostMs)})`,
);

const ofThisWorker = putBackStatement('jobs_put_back_own', 'queue = ANY($3) AND worker_id = $4');

const forgotten = putBackStatement(
  'jobs_put_back_forgotten',
  `queue = ANY($3) AND worker_id = $4 AND started_at < now() - ${sqlInterval(forgottenMs)}
   AND (job_id, attempt) NOT IN (SELECT * FROM unnest($5::uuid[], $6::int[]))`,
);

/** Puts back the jobs of workers that are no longer heard of. */
export async function putBackLost(sql: Sql, queues: readonly QueueName[]): Promise<PutBack[]> {
  return await putBack(sql, ofLostWorkers, maxAttempts, queues);
}

/** Puts back what a stopping worker still runs. */
export async function putBackOwn(
  sql: Sql,
  queues: readonly QueueName[],
  workerId: string,
): Promise<PutBack[]> {
  // Being stopped is not the job's fault.
  return await putBack(sql, ofThisWorker, 2_147_483_647, queues, workerId);
}

/** Puts back jobs that this worker holds without running them: the answer to a claim never arrived. */
export async function putBackForgotten(
  sql: Sql,
  queues: readonly QueueName[],
  workerId: string,
  running: ClaimedJob[],
): Promise<PutBack[]> {
  const ids = running.map(({ jobId }) => jobId);
  const attempts = running.map(({ attempt }) => attempt);
  return await putBack(sql, forgotten, maxAttempts, queues, workerId, ids, attempts);
}

async function putBack(
  sql: Sql,
  which: Statement,
  attempts: number,
  queues: readonly QueueName[],
  ...more: unknown[]
): Promise<PutBack[]> {
  const error = JSON.stringify(storedErrorOf(undefined));
  const rows = await sql.rows<PutBackRow>(which, [attempts, error, queues, ...more]);
  return rows.map(({ tenant_id, job_id, queue, background, enqueues, status }) => ({
    entry: { tenantId: tenant_id, jobId: job_id, queue, background, enqueues },
    status,
  }));
}
