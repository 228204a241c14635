import { column, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import { hasStatus, type JobOutcome } from './job.ts';

/** A request's wait for a job. */
export interface AwaitedJob {
  tenantId: TenantId;
  jobId: string;
  /** The row's value at the start of the wait. A later request that takes the job over writes another time. */
  awaitedUntil: Date;
  /** Whether other requests may wait for the same job without ending this wait. */
  coalesces: boolean;
}

export interface Delivery {
  jobId: string;
  /** Identifies the wait that was answered. All waits of a job that coalesces are answered together. */
  awaitedUntil: Date;
  outcome: JobOutcome;
}

/**
 * Repeatable: the first answer to this statement may have been lost on the way. A second delivery of a job that coalesces ends all
 * waits in the row, so that no caller of the two can take the delivery to the other one back.
 */
const deliver = statement(
  'jobs_deliver',
  `UPDATE jobs SET delivered_at = coalesce(delivered_at, now()),
     awaited_until = CASE WHEN wait.coalesces AND delivered_at >= finished_at THEN NULL ELSE jobs.awaited_until END
   FROM unnest($1::int[], $2::uuid[], $3::timestamptz[], $4::boolean[]) AS wait (tenant_id, job_id, awaited_until, coalesces)
   WHERE jobs.tenant_id = wait.tenant_id AND jobs.job_id = wait.job_id AND ${hasStatus('succeeded', 'failed', 'cancelled')}
     AND (jobs.awaited_until = wait.awaited_until
       OR wait.coalesces AND (jobs.awaited_until IS NULL OR jobs.awaited_until > wait.awaited_until))
   RETURNING jobs.job_id, wait.awaited_until, status, result, error`,
  {
    job_id: tables.jobs.job_id,
    awaited_until: column.timestamptz,
    status: tables.jobs.status.as<JobOutcome['status']>(),
    result: tables.jobs.result.as<JsonValue>(),
    error: tables.jobs.error,
  },
);

/** Fetches the outcomes of finished jobs and marks them as delivered, in one statement. */
export async function deliverOutcomes(sql: Sql, waits: AwaitedJob[]): Promise<Delivery[]> {
  const coalesces = waits.map((wait) => wait.coalesces);
  const rows = await sql.rows(deliver, [...columnsOf(waits), coalesces]);
  return rows.map(({ job_id, awaited_until, ...outcome }) => ({
    jobId: job_id,
    awaitedUntil: awaited_until,
    outcome,
  }));
}

/**
 * A delivery before the job's end was the delivery of its id (202); that caller can still read the result. Skips a locked row: it may
 * be locked by a process that is frozen, and the answers of all other jobs come after this statement. Its wait ends by its time.
 */
const release = statement(
  'jobs_release',
  `WITH ended AS (
     SELECT jobs.tenant_id, jobs.job_id, wait.may_be_delivered
     FROM unnest($1::int[], $2::uuid[], $3::timestamptz[], $4::boolean[]) AS wait (tenant_id, job_id, awaited_until, may_be_delivered)
     JOIN jobs ON jobs.tenant_id = wait.tenant_id AND jobs.job_id = wait.job_id AND jobs.awaited_until = wait.awaited_until
     FOR UPDATE OF jobs SKIP LOCKED
   )
   UPDATE jobs SET awaited_until = NULL,
     delivered_at = CASE WHEN may_be_delivered AND delivered_at >= finished_at THEN NULL ELSE delivered_at END
   FROM ended WHERE jobs.tenant_id = ended.tenant_id AND jobs.job_id = ended.job_id`,
);

/** A wait that ended without a result. */
export interface EndedWait extends AwaitedJob {
  /** Whether `deliverOutcomes` may have marked the job as delivered to this wait. */
  mayBeDelivered: boolean;
}

/** Releases waits, so that equal requests may take their jobs over. One statement. */
export async function releaseWaits(sql: Sql, waits: EndedWait[]): Promise<void> {
  const mayBeDelivered = waits.map((wait) => wait.mayBeDelivered);
  await sql.rows(release, [...columnsOf(waits), mayBeDelivered]);
}

const selectDeleted = statement(
  'jobs_select_deleted',
  `SELECT job_id FROM unnest($1::int[], $2::uuid[]) AS wait (tenant_id, job_id)
   WHERE NOT EXISTS (SELECT FROM jobs WHERE jobs.tenant_id = wait.tenant_id AND jobs.job_id = wait.job_id)`,
  { job_id: column.uuid },
);

/** The ids of awaited jobs that were deleted, such as a report by a purge. One statement. */
export async function findDeletedJobs(sql: Sql, waits: AwaitedJob[]): Promise<ReadonlySet<string>> {
  const rows = await sql.rows(selectDeleted, columnsOf(waits).slice(0, 2));
  return new Set(rows.map(({ job_id }) => job_id));
}

function columnsOf(waits: AwaitedJob[]): unknown[] {
  return [
    waits.map(({ tenantId }) => tenantId),
    waits.map(({ jobId }) => jobId),
    waits.map(({ awaitedUntil }) => awaitedUntil),
  ];
}
