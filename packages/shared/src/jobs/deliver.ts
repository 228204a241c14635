import { type JsonValue, type Sql, statement } from '@continuity/shared/kernel';
import type { JobOutcome } from './job.ts';

/** One request that waits for one job. */
export interface AwaitedJob {
  tenantId: number;
  jobId: string;
  /** As the row had it when the wait began: a later request that takes the job over writes another time. */
  awaitedUntil: Date;
}

export interface Delivery {
  jobId: string;
  outcome: JobOutcome;
}

interface DeliveredRow {
  job_id: string;
  status: JobOutcome['status'];
  result: JsonValue;
  error: unknown;
}

/** The same answer again when it is asked again, because the first may have been lost on its way here. */
const deliver = statement(
  'jobs_deliver',
  `UPDATE jobs SET delivered_at = coalesce(delivered_at, now())
   FROM unnest($1::int[], $2::uuid[], $3::timestamptz[]) AS wait (tenant_id, job_id, awaited_until)
   WHERE jobs.tenant_id = wait.tenant_id AND jobs.job_id = wait.job_id
     AND jobs.awaited_until = wait.awaited_until AND jobs.status IN ('succeeded', 'failed')
   RETURNING jobs.job_id, status, result, error`,
);

/** Fetches the outcomes of those that have ended, and notes that they were delivered. One statement. */
export async function deliverOutcomes(sql: Sql, waits: AwaitedJob[]): Promise<Delivery[]> {
  const rows = await sql.rows<DeliveredRow>(deliver, columnsOf(waits));
  return rows.map(({ job_id, ...outcome }) => ({ jobId: job_id, outcome }));
}

const release = statement(
  'jobs_release',
  `UPDATE jobs SET awaited_until = NULL, delivered_at = NULL
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
