import type { JobStatus } from '@continuity/contract';
import {
  column,
  isWritableHere,
  pick,
  type Sql,
  statement,
  type Transaction,
  tables,
} from '@continuity/kernel/database';
import { fromDatabaseError, isTenantMoved } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import type { QueueEntry } from '@continuity/kernel/queue';
import { type ClaimedJob, hasStatus, isQueued, storedErrorOf } from './job.ts';
import { progressMs } from './times.ts';

/** Channel that notifies waiting gateways of a job's end. The payload is the job's id. */
export const jobsChannel = 'jobs';

/** The job was cancelled, or requeued and belongs to another run. This run must write nothing. */
export class JobLostError extends Error {
  override name = 'JobLostError';

  constructor(options?: ErrorOptions) {
    super('The job was requeued or cancelled during this run.', options);
  }
}

/** SQLSTATE of a division by zero: the failure of the fence below. */
const divisionByZero = '22012';

/**
 * The fence. A run that lost its job finds no row, and the division by zero fails the statement. The failure also aborts the
 * transaction when COMMIT was pipelined behind the statement.
 */
const finish = statement(
  'jobs_finish',
  `WITH mine AS (
     UPDATE jobs SET status = $4, result = $5::jsonb, error = $6::jsonb, finished_at = now(),
       progress = CASE WHEN $4 = 'succeeded' AND progress IS NOT NULL THEN 1 ELSE progress END
     WHERE tenant_id = $1 AND job_id = $2 AND ${hasStatus('running')} AND attempt = $3
     RETURNING job_id
   )
   SELECT 1 / count(*) AS held FROM mine`,
  { held: column.bigint },
);

/**
 * Ends the job with its result, inside the transaction of its effects: both commit, or neither. Throws `JobLostError` when
 * the job was cancelled or belongs to another run; the error must roll the transaction back.
 */
export async function finishJob(sql: Sql, job: ClaimedJob, result: JsonValue): Promise<void> {
  await fenced(sql.rows(finish, valuesOfSuccess(job, result)));
}

/** `finishJob` as the last statement, and COMMIT in the same round trip. */
export async function commitFinishedJob(sql: Transaction, job: ClaimedJob, result: JsonValue): Promise<void> {
  await fenced(sql.commitWith(finish, valuesOfSuccess(job, result)));
}

/** Ends the job with an error. False when the job was cancelled or belongs to another run. */
export async function failJob(sql: Sql, job: ClaimedJob, error: unknown): Promise<boolean> {
  const stored = storedErrorOf(error);
  try {
    await fenced(sql.rows(finish, valuesOf(job, 'failed', null, JSON.stringify(stored))));
    return true;
  } catch (failure) {
    if (failure instanceof JobLostError) return false;
    throw failure;
  }
}

function valuesOfSuccess(job: ClaimedJob, result: JsonValue): unknown[] {
  return valuesOf(job, 'succeeded', JSON.stringify(result), null);
}

function valuesOf(
  { tenantId, jobId, attempt }: ClaimedJob,
  status: string,
  result: string | null,
  error: string | null,
): unknown[] {
  return [tenantId, jobId, attempt, status, result, error];
}

async function fenced(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if ((error as { code?: unknown }).code === divisionByZero || isTenantMoved(error))
      throw new JobLostError({ cause: error });
    throw error;
  }
}

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
         AND ${isWritableHere('jobs.tenant_id')}
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

const setProgress = statement(
  'jobs_progress',
  `UPDATE jobs SET progress = $4 WHERE tenant_id = $1 AND job_id = $2 AND ${hasStatus('running')} AND attempt = $3`,
);

/**
 * A function that stores the progress of a run, from 0 to 1: the first one at once, later ones at most once in `progressMs`. It has no
 * effect when the job belongs to another run.
 */
export function progressSaver(
  sql: Sql,
  { tenantId, jobId, attempt }: ClaimedJob,
): (share: number) => Promise<void> {
  let savedAt = Number.NEGATIVE_INFINITY;
  return async (share) => {
    if (performance.now() - savedAt < progressMs) return;
    savedAt = performance.now();
    await sql.rows(setProgress, [tenantId, jobId, attempt, Math.min(Math.max(share, 0), 1)]);
  };
}

/**
 * Rethrows an error that is not the fault of the work, so that the handler records no failure: the loss of the job to another
 * worker as a `JobLostError`, an outage of the database as it is, because the runner repeats the job. `signal` is that of the run.
 */
export function rethrowInterruption(error: unknown, signal: AbortSignal): void {
  if (error instanceof JobLostError || signal.aborted) throw new JobLostError({ cause: error });
  if (fromDatabaseError(error) !== undefined) throw error;
}
