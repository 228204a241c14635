import type { JobStatus } from '@continuity/contract';

/**
 * SQL condition on the status of a row of `jobs` that the statement finds by its key. `IS TRUE` keeps the partial indexes by status out
 * of the plan: a plan that was made while the table was empty would read every job of that status.
 */
export const hasStatus = (...statuses: JobStatus[]): string =>
  `(jobs.status IN (${statuses.map((status) => `'${status}'`).join(', ')})) IS TRUE`;

/**
 * The same for queued jobs that the statement finds by turn or by group: it matches the predicate of `jobs_turns` and `jobs_group`,
 * and of no other index.
 */
export const isQueued = (table = 'jobs'): string => `(${table}.status <> 'queued') IS FALSE`;
