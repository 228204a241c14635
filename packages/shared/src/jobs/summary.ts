import type { JobStatus, QueueName } from '@continuity/contract';
import type { JobSummary } from '@continuity/contract/jobs';
import { pick, tables } from '@continuity/kernel/database';

/** The columns of a job without its result. */
export const summaryColumns = {
  ...pick(
    tables.jobs,
    'job_id',
    'operation',
    'scope_id',
    'progress',
    'created_at',
    'started_at',
    'finished_at',
  ),
  queue: tables.jobs.queue.as<QueueName>(),
  status: tables.jobs.status.as<JobStatus>(),
  error: tables.jobs.error.as<NonNullable<JobSummary['error']>>(),
};

/** `summaryColumns` in SQL. */
export const summaryList =
  'job_id, queue, operation, scope_id, status, progress, error, jobs.created_at, started_at, finished_at';

type Times = 'created_at' | 'started_at' | 'finished_at';

/** A row of `summaryColumns`. */
type SummaryRow = Omit<JobSummary, Times> & {
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

/** The job as its tenant sees it. */
export function presentSummary<Row extends SummaryRow>(row: Row): Omit<Row, Times> & Pick<JobSummary, Times> {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
