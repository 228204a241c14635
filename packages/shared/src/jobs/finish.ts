import {
  type JsonValue,
  type Sql,
  type Statement,
  statement,
  type Transaction,
} from '@continuity/shared/kernel';
import { type ClaimedJob, type StoredError, storedErrorOf } from './job.ts';

/** Channel on which the end of an awaited job is told, by the commit that ends it. The payload is its id. */
export const jobsChannel = 'jobs';

/** The job is not this run's any more: it was put back, and another run has it or will. Nothing may be written. */
export class JobLostError extends Error {
  override name = 'JobLostError';

  constructor(options?: ErrorOptions) {
    super('The job was taken away from this run.', options);
  }
}

/** SQLSTATE of a division by zero: how the fence below says no. */
const divisionByZero = '22012';

/**
 * The fence. A run that lost its job finds no row, and the division makes the statement fail. That way it takes its
 * transaction down even where COMMIT has already been sent behind it.
 */
const finish = statement(
  'jobs_finish',
  `WITH mine AS (
     UPDATE jobs SET status = $4, result = $5::jsonb, error = $6::jsonb, finished_at = now(),
       progress = CASE WHEN $4 = 'succeeded' AND progress IS NOT NULL THEN 1 ELSE progress END
     WHERE tenant_id = $1 AND job_id = $2 AND status = 'running' AND attempt = $3
     RETURNING job_id, awaited_until > now() AS is_awaited
   )
   SELECT 1 / count(*) AS held,
     max(CASE WHEN is_awaited THEN pg_notify('${jobsChannel}', job_id::text)::text END) AS told
   FROM mine`,
);

/** The statement that ends a job with its result, for a transaction that is written out by hand. */
export function finishStatement(
  job: ClaimedJob,
  result: JsonValue,
): { statement: Statement; values: unknown[] } {
  return { statement: finish, values: valuesOf(job, 'succeeded', JSON.stringify(result), null) };
}

/**
 * Ends the job with its result, inside the transaction of its effects: both commit, or neither. Throws `JobLostError`,
 * which must roll that transaction back, when the job is not this run's any more.
 */
export async function finishJob(sql: Sql, job: ClaimedJob, result: JsonValue): Promise<void> {
  const { statement, values } = finishStatement(job, result);
  await fenced(sql.rows(statement, values));
}

/** `finishJob` as the last statement, and COMMIT in the same round trip. */
export async function commitFinishedJob(sql: Transaction, job: ClaimedJob, result: JsonValue): Promise<void> {
  const { statement, values } = finishStatement(job, result);
  await fenced(sql.commitWith(statement, values));
}

/** Ends the job with an error. False when it is not this run's any more. */
export async function failJob(sql: Sql, job: ClaimedJob, error: unknown): Promise<boolean> {
  const stored: StoredError = storedErrorOf(error);
  try {
    await fenced(sql.rows(finish, valuesOf(job, 'failed', null, JSON.stringify(stored))));
    return true;
  } catch (failure) {
    if (failure instanceof JobLostError) return false;
    throw failure;
  }
}

const setProgress = statement(
  'jobs_progress',
  `UPDATE jobs SET progress = $4 WHERE tenant_id = $1 AND job_id = $2 AND status = 'running' AND attempt = $3`,
);

/** Notes how much of the job is done, from 0 to 1. Nothing happens when it is not this run's any more. */
export async function saveProgress(sql: Sql, job: ClaimedJob, progress: number): Promise<void> {
  await sql.rows(setProgress, [...keyOf(job), Math.min(Math.max(progress, 0), 1)]);
}

function keyOf({ tenantId, jobId, attempt }: ClaimedJob): unknown[] {
  return [tenantId, jobId, attempt];
}

function valuesOf(job: ClaimedJob, status: string, result: string | null, error: string | null): unknown[] {
  return [...keyOf(job), status, result, error];
}

async function fenced(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if ((error as { code?: unknown }).code === divisionByZero) throw new JobLostError({ cause: error });
    throw error;
  }
}
