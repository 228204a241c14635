import {
  type Coalescing,
  type ErrorBody,
  type JobStatus,
  parseErrorBody,
  type QueueName,
} from '@continuity/contract';
import type { JobSummary } from '@continuity/contract/jobs';
import { pick, type TenantId, tables } from '@continuity/kernel/database';
import { fromDatabaseError, ServiceError, serviceError } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import type { JobEvent } from '@continuity/kernel/telemetry';

/** A job to be written. `newJob` makes it from the catalog. */
export interface NewJob {
  tenantId: TenantId;
  queue: QueueName;
  /** Workers of this host alone run the job; null: all workers of the queue. */
  hostId: string | null;
  /** Name of the job in the catalog; the id of its operation, if a request waits for it. */
  operation: string;
  scopeId: string | null;
  /** Jobs of one tenant, queue and group run one after the other. */
  group: string;
  /** The payload as the row keeps it. */
  request: JsonValue;
  /** SHA-256 that identifies the work: jobs of one key are the same work. Null: equal requests are the same work. */
  workKey: Buffer | null;
  coalesces: Coalescing;
}

/** A job that this process runs. `attempt` numbers the run and fences its writes: an older run can no longer write. */
export interface ClaimedJob extends Omit<NewJob, 'coalesces'> {
  jobId: string;
  background: boolean;
  attempt: number;
  /** W3C `traceparent` of the request. */
  trace: string | null;
}

/** How a job ended. */
export interface JobOutcome {
  status: Exclude<JobStatus, 'queued' | 'running'>;
  result: JsonValue;
  error: unknown;
}

export type OnJobEvent = (event: JobEvent) => void;

/** The error stored for a failed run: a `ServiceError` as it is, anything else as `internal_error` without its cause. */
export function storedErrorOf(error: unknown): ErrorBody {
  const known = error instanceof ServiceError ? error : fromDatabaseError(error);
  return (known ?? serviceError('internal_error')).toBody();
}

/** The result of a job that succeeded. Throws the error of one that failed or was cancelled. */
export function resultOf({ status, result, error }: JobOutcome): JsonValue {
  if (status === 'succeeded') return result;
  const stored = parseErrorBody(error);
  // A worker of a newer release may store a code or details that this one does not know.
  throw stored === undefined ? serviceError('internal_error') : new ServiceError(stored);
}

/** The key of a job's work. Throws if the catalog does not group the job's operation by such a key. */
export function requireWorkKey({ operation, workKey }: ClaimedJob): Buffer {
  if (workKey === null) throw new Error(`A job of ${operation} has no key.`);
  return workKey;
}

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
