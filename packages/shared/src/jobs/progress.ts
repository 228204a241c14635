import { type Sql, statement } from '@continuity/kernel/database';
import { fromDatabaseError } from '@continuity/kernel/errors';
import { JobLostError } from './finish.ts';
import { type ClaimedJob, hasStatus } from './job.ts';
import { progressMs } from './times.ts';

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
