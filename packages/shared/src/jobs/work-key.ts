import type { JobStatus } from '@continuity/contract';
import { pick, type Sql, statement, tables } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import type { KeyedJob } from './new-job.ts';
import { insertedValues, isUndelivered, toWrittenJob, type WrittenJob } from './write.ts';

/** An answer without a job (spec 40 §2.1.2). */
export interface EarlierWork {
  /** Finds what work of the key has left, such as its pending Candidate. Called while no job of the key is unfinished. */
  find(): Promise<JsonValue | undefined>;
  /** The result that an equal request may take over, once, from an ended job that delivered it to no caller. */
  reusableResult: JsonValue;
  /** Throws if no new job may be written. Called when there is no earlier work, and before a missing worker is reported. */
  checkNew?(): void;
}

/** A result that `EarlierWork` describes. `jobId` is the job that it was taken from. */
export interface EarlierResult {
  result: JsonValue;
  jobId: string | null;
}

const written = {
  ...pick(tables.jobs, 'job_id', 'awaited_until', 'enqueues'),
  status: tables.jobs.status.as<JobStatus>(),
  result: tables.jobs.result.as<JsonValue>(),
};

/** $3 is the time to wait; null means that the caller takes the id, which counts as delivery. */
const joinUnfinished = statement(
  'jobs_join_by_key',
  `UPDATE jobs SET
     awaited_until = greatest(
       CASE WHEN awaited_until > now() THEN awaited_until END, now() + $3::int * interval '1 millisecond'),
     delivered_at = CASE WHEN $3::int IS NULL THEN now() ELSE delivered_at END,
     enqueues = CASE WHEN status = 'queued' THEN enqueues + 1 ELSE enqueues END,
     enqueued_at = CASE WHEN status = 'queued' THEN now() ELSE enqueued_at END
   WHERE tenant_id = $1 AND work_key = $2 AND status IN ('queued', 'running')
   RETURNING job_id, status, result, awaited_until, enqueues`,
  written,
);

/** Joins the queued or running job of the key; undefined without one. */
export async function joinByKey(
  sql: Sql,
  job: KeyedJob,
  waitMs: number | null,
): Promise<WrittenJob | undefined> {
  const row = await sql.first(joinUnfinished, [job.tenantId, job.workKey, waitMs]);
  return row && toWrittenJob(job, row);
}

/** Ignores `awaited_until`, as `takeUndeliveredResult` does. */
const takeResult = statement(
  'jobs_take_by_key',
  `UPDATE jobs SET delivered_at = now(), awaited_until = NULL
   WHERE tenant_id = $1 AND job_id = (
     SELECT job_id FROM jobs
     WHERE tenant_id = $1 AND work_key = $2 AND ${isUndelivered} AND status = 'succeeded' AND result = $3::jsonb
     ORDER BY job_id LIMIT 1 FOR UPDATE)
   RETURNING job_id, result`,
  { job_id: tables.jobs.job_id, result: tables.jobs.result.as<JsonValue>() },
);

/** The earlier result that answers a request of the key; undefined if there is none. Needs neither queue nor worker. */
export async function findEarlierResult(
  sql: Sql,
  { tenantId, workKey }: KeyedJob,
  { find, reusableResult }: EarlierWork,
): Promise<EarlierResult | undefined> {
  const left = await find();
  if (left !== undefined) return { result: left, jobId: null };
  const taken = await sql.first(takeResult, [tenantId, workKey, JSON.stringify(reusableResult)]);
  return taken && { result: taken.result, jobId: taken.job_id };
}

const insert = statement(
  'jobs_insert_by_key',
  `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, trace, host_id,
                     work_key, awaited_until, delivered_at, enqueues, enqueued_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9,
           $10, now() + $11::int * interval '1 millisecond', CASE WHEN $11::int IS NULL THEN now() END, 1, now())
   ON CONFLICT (tenant_id, work_key) WHERE work_key IS NOT NULL AND status IN ('queued', 'running') DO NOTHING
   RETURNING job_id, status, result, awaited_until, enqueues`,
  written,
);

/** Writes the job; undefined if an unfinished job of its key has come between. */
export async function insertByKey(
  sql: Sql,
  job: KeyedJob,
  waitMs: number | null,
): Promise<WrittenJob | undefined> {
  const row = await sql.first(insert, [...insertedValues(job), job.workKey, waitMs]);
  return row && toWrittenJob(job, row);
}
