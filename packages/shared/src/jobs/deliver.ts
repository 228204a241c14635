import { type JsonValue, type Sql, statement } from '@continuity/shared/kernel';
import type { JobOutcome } from './job.ts';

/** One request that waits for one job. */
export interface AwaitedJob {
  tenantId: number;
  jobId: string;
  /** As the row had it when the wait began: a later request that takes the job over writes another time. */
  awaitedUntil: Date;
  /** Whether others may wait for the same job: then their waits leave this one as it is. */
  shared: boolean;
}

export interface Delivery {
  jobId: string;
  /** Of the wait that was answered; with it go all that share the job. */
  awaitedUntil: Date;
  outcome: JobOutcome;
}

interface DeliveredRow {
  job_id: string;
  awaited_until: Date;
  status: JobOutcome['status'];
  result: JsonValue;
  error: unknown;
}

/** The same answer again when it is asked again, because the first may have been lost on its way here. */
const deliver = statement(
  'jobs_deliver',
  `UPDATE jobs SET delivered_at = coalesce(delivered_at, now())
   FROM unnest($1::int[], $2::uuid[], $3::timestamptz[], $4::boolean[]) AS wait (tenant_id, job_id, awaited_until, shared)
   WHERE jobs.tenant_id = wait.tenant_id AND jobs.job_id = wait.job_id AND jobs.status IN ('succeeded', 'failed')
     AND (jobs.awaited_until = wait.awaited_until
       OR wait.shared AND (jobs.awaited_until IS NULL OR jobs.awaited_until > wait.awaited_until))
   RETURNING jobs.job_id, wait.awaited_until, status, result, error`,
);

/** Fetches the outcomes of those that have ended, and notes that they were delivered. One statement. */
export async function deliverOutcomes(sql: Sql, waits: AwaitedJob[]): Promise<Delivery[]> {
  const shared = waits.map((wait) => wait.shared);
  const rows = await sql.rows<DeliveredRow>(deliver, [...columnsOf(waits), shared]);
  return rows.map(({ job_id, awaited_until, ...outcome }) => ({
    jobId: job_id,
    awaitedUntil: awaited_until,
    outcome,
  }));
}

/** A delivery from before the end was one of the id, which the caller of that time still has. */
const release = statement(
  'jobs_release',
  `UPDATE jobs SET awaited_until = NULL, 
     delivered_at = CASE WHEN delivered_at >= finished_at THEN NULL ELSE delivered_at END
   FROM unnest($1::int[], $2::uuid[], $3::timestamptz[]) AS wait (tenant_id, job_id, awaited_until)
   WHERE jobs.tenant_id = wait.tenant_id AND jobs.job_id = wait.job_id
     AND jobs.awaited_until = wait.awaited_until`,
);

/** Notes that these requests have gone without an answer, so that an equal one may take their jobs over. One statement. */
export async function releaseWaits(sql: Sql, waits: AwaitedJob[]): Promise<void> {
  await sql.rows(release, columnsOf(waits));
}

function columnsOf(waits: AwaitedJob[]): unknown[] {
  return [
    waits.map(({ tenantId }) => tenantId),
    waits.map(({ jobId }) => jobId),
    waits.map(({ awaitedUntil }) => awaitedUntil),
  ];
}
