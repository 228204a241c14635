import { column, type Sql, statement, type Transaction } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import { hasStatus } from './has-status.ts';
import { type ClaimedJob, storedErrorOf } from './job.ts';

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
    if ((error as { code?: unknown }).code === divisionByZero) throw new JobLostError({ cause: error });
    throw error;
  }
}
