import { type Sql, statement } from '@continuity/kernel/database';
import { hasStatus } from './has-status.ts';
import type { ClaimedJob } from './job.ts';
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
