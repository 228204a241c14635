import type { JobStatus } from '@continuity/contract';

/**
 * SQL condition on the status of a row of `jobs` that the statement finds by its key. `IS TRUE` keeps the partial indexes by status out
 * of the plan: a plan that was made while the table was empty would read every job of that status.
 */
export const hasStatus = (...statuses: JobStatus[]): string =>
  `(jobs.status IN (${statuses.map((status) => `'${status}'`).join(', ')})) IS TRUE`;
