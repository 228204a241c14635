import type { JobStatus } from '@continuity/contract';
import {
  column,
  type Database,
  deploymentStatement,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import { fromDatabaseError } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import type { QueueEntry } from '@continuity/kernel/queue';
import { currentTrace } from '@continuity/kernel/telemetry';
import { newId } from '@continuity/kernel/text';
import { hasStatus, type NewJob } from './job.ts';
import { sqlInterval, takeOverMs } from './times.ts';

/** The row of a request: a new one, or the unfinished or undelivered one of an equal earlier request. */
export interface WrittenJob {
  entry: QueueEntry;
  status: JobStatus;
  result: JsonValue;
  /** End of this request's wait. It also distinguishes this wait from earlier waits for the same row. */
  awaitedUntil: Date | null;
}

/** Jobs of the last hour whose result no caller has received. */
export const isUndelivered = `delivered_at IS NULL AND created_at > now() - ${sqlInterval(takeOverMs)}`;

/** Undelivered jobs whose callers have gone. */
const isAbandoned = `${isUndelivered} AND (awaited_until IS NULL OR awaited_until < now()) AND status NOT IN ('failed', 'cancelled')`;

const writtenColumns = {
  ...pick(tables.jobs, 'job_id', 'awaited_until', 'enqueues'),
  status: tables.jobs.status.as<JobStatus>(),
  result: tables.jobs.result.as<JsonValue>(),
};

/**
 * $10 is the time to wait; null means that the caller takes the id, which counts as delivery. A failed or cancelled job is never
 * reused, because another run may succeed. The row lock serializes this statement with the end of a run and with equal requests.
 */
const insertOrTakeOver = insertUnless('jobs_insert_or_take_over', isAbandoned);

const insertAlways = insertUnless('jobs_insert_always', 'false');

const insertOrCoalesce = insertUnless(
  'jobs_insert_or_coalesce',
  `(${isAbandoned} OR status IN ('queued', 'running'))`,
);

const insertOrJoinQueued = insertUnless('jobs_insert_or_join_queued', "status = 'queued'");

type WrittenRow = RowOfStatement<typeof insertOrTakeOver>;

function insertUnless(name: string, isReusable: string) {
  return statement(
    name,
    `WITH earlier AS (
     SELECT tenant_id, job_id FROM jobs
     WHERE tenant_id = $1 AND queue = $3 AND job_group = $6 AND NOT background
       AND operation = $4 AND request = $7::jsonb AND ${isReusable}
     ORDER BY job_id LIMIT 1 FOR UPDATE
   ), taken AS (
     UPDATE jobs SET
       awaited_until = greatest(
         CASE WHEN awaited_until > now() THEN awaited_until END, now() + $10::int * interval '1 millisecond'),
       delivered_at = CASE WHEN $10::int IS NULL OR status = 'succeeded' THEN now() ELSE delivered_at END,
       enqueues = CASE WHEN status = 'queued' THEN enqueues + 1 ELSE enqueues END,
       enqueued_at = CASE WHEN status = 'queued' THEN now() ELSE enqueued_at END
     FROM earlier WHERE jobs.tenant_id = earlier.tenant_id AND jobs.job_id = earlier.job_id
     RETURNING jobs.job_id, status, result, awaited_until, enqueues
   ), added AS (
     INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, trace, host_id,
                       awaited_until, delivered_at, enqueues, enqueued_at)
     SELECT $1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9,
            now() + $10::int * interval '1 millisecond', CASE WHEN $10::int IS NULL THEN now() END, 1, now()
     WHERE NOT EXISTS (SELECT FROM taken)
     RETURNING job_id, status, result, awaited_until, enqueues
   )
   SELECT * FROM taken UNION ALL SELECT * FROM added`,
    writtenColumns,
  );
}

/**
 * Writes the jobs whose group has no undelivered job that could be taken over. Unlike the statements above, it never waits for a row
 * of another job, so that jobs of many groups can share it.
 */
const insertNew = statement(
  'jobs_insert_new',
  `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, trace, host_id,
                     awaited_until, delivered_at, enqueues, enqueued_at)
   SELECT new.tenant_id, new.job_id, new.queue, new.operation, new.scope_id, new.job_group, new.request, new.trace, new.host_id,
          now() + new.wait_ms * interval '1 millisecond', CASE WHEN new.wait_ms IS NULL THEN now() END, 1, now()
   FROM unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::text[], $10::int[])
     AS new (tenant_id, job_id, queue, operation, scope_id, job_group, request, trace, host_id, wait_ms)
   WHERE (SELECT 1 FROM jobs WHERE jobs.tenant_id = new.tenant_id AND jobs.queue = new.queue AND jobs.job_group = new.job_group
       AND NOT background AND ${isUndelivered} LIMIT 1) IS NULL
   RETURNING job_id, status, result, awaited_until, enqueues`,
  writtenColumns,
);

/** A job to be written. */
export interface JobWrite {
  job: NewJob;
  /** The values of the row, with the trace of the request. */
  values: unknown[];
}

/** The row of a request that waits `waitMs` for its result; null: the caller takes the id and leaves. */
export function newJobWrite(job: NewJob, waitMs: number | null): JobWrite {
  return { job, values: [...insertedValues(job), waitMs] };
}

/**
 * Writes, in one statement, those jobs that can take over no earlier one. Undefined for each other: `writeJob` writes it. Only for jobs
 * that coalesce with abandoned ones at most.
 */
export async function writeNewJobs(sql: Sql, writes: JobWrite[]): Promise<(WrittenJob | undefined)[]> {
  const columns = writes[0]?.values.map((_, column) => writes.map(({ values }) => values[column])) ?? [];
  try {
    const rows = new Map((await sql.rows(insertNew, columns)).map((row) => [row.job_id, row]));
    return writes.map(({ job, values }) => {
      const row = rows.get(String(values[1]));
      return row && toWrittenJob(job, row);
    });
  } catch (error) {
    if (fromDatabaseError(error) !== undefined) throw error;
    // A row that the server refuses fails alone.
    return writes.map(() => undefined);
  }
}

/** Serializes equal requests: one writes the job, the others then find it. */
const lockRequest = deploymentStatement(
  'jobs_lock_request',
  `SELECT pg_advisory_xact_lock(
     hashtextextended(concat_ws(chr(31), $1::int, $2::text, $3::text, $4::text, ($5::jsonb)::text), 0))`,
  { pg_advisory_xact_lock: column.void },
);

/**
 * Writes the row of a request, or takes over the undelivered job of an equal earlier request whose wait is over (spec 00 §7).
 * A job that coalesces until its end is also joined while it is queued or running; one that coalesces until it begins is
 * joined while it is queued, and never taken over. One that never coalesces is always written.
 */
export async function writeJob(database: Database, { job, values }: JobWrite): Promise<WrittenJob> {
  const row = await writeRow(database, job, values);
  if (row === undefined) throw new Error('A job was neither written nor taken over.');
  return toWrittenJob(job, row);
}

/** The row of a request in the terms of the gateway. */
export function toWrittenJob(
  { queue, hostId, tenantId }: NewJob,
  { job_id: jobId, enqueues, status, result, awaited_until: awaitedUntil }: WrittenRow,
): WrittenJob {
  const entry = { queue, hostId, tenantId, jobId, enqueues, background: false };
  return { entry, status, result, awaitedUntil };
}

async function writeRow(
  database: Database,
  { tenantId, queue, operation, group, request, coalesces }: NewJob,
  values: unknown[],
): Promise<WrittenRow | undefined> {
  if (coalesces === 'never') return await database.lockingSql.first(insertAlways, values);
  if (coalesces === 'abandoned') return await database.lockingSql.first(insertOrTakeOver, values);
  return await database.transaction(async (sql) => {
    await sql.rows(lockRequest, [tenantId, queue, operation, group, JSON.stringify(request)]);
    return await sql.first(coalesces === 'until-begun' ? insertOrJoinQueued : insertOrCoalesce, values);
  });
}

/**
 * Ignores `awaited_until`: a waiting gateway may have died. If it lives, its caller and this one get the same result.
 */
const takeUndelivered = statement(
  'jobs_take_undelivered',
  `UPDATE jobs SET delivered_at = now(), awaited_until = NULL
   WHERE tenant_id = $1 AND job_id = (
     SELECT job_id FROM jobs
     WHERE tenant_id = $1 AND queue = $2 AND job_group = $3 AND NOT background
       AND operation = $4 AND request = $5::jsonb AND ${isUndelivered} AND status = 'succeeded'
     ORDER BY job_id LIMIT 1 FOR UPDATE)
   RETURNING job_id, result`,
  { job_id: tables.jobs.job_id, result: tables.jobs.result.as<JsonValue>() },
);

/** Takes the result that an equal earlier request never received, once. Needs neither worker nor queue. */
export async function takeUndeliveredResult(
  sql: Sql,
  { tenantId, queue, operation, group, request }: NewJob,
): Promise<{ jobId: string; result: JsonValue } | undefined> {
  const values = [tenantId, queue, group, operation, JSON.stringify(request)];
  const row = await sql.first(takeUndelivered, values);
  return row && { jobId: row.job_id, result: row.result };
}

const insertBackground = statement(
  'jobs_insert_background',
  `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, job_group, request, trace, host_id,
                     background, enqueues, enqueued_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, true, 1, now())
   ON CONFLICT (tenant_id, queue, job_group) WHERE background AND status = 'queued' DO NOTHING
   RETURNING job_id`,
  pick(tables.jobs, 'job_id'),
);

/** Writes a job that no request waits for. Undefined when its group already has a queued background job. */
export async function writeBackgroundJob(sql: Sql, job: NewJob): Promise<QueueEntry | undefined> {
  const row = await sql.first(insertBackground, insertedValues(job));
  if (row === undefined) return undefined;
  const { queue, hostId, tenantId } = job;
  return { queue, hostId, tenantId, jobId: row.job_id, enqueues: 1, background: true };
}

/** The values of a new row that every kind of insert has, with a new id. */
export function insertedValues(job: NewJob): unknown[] {
  const { tenantId, queue, operation, scopeId, group, request, hostId } = job;
  return [
    tenantId,
    newId(),
    queue,
    operation,
    scopeId,
    group,
    JSON.stringify(request),
    currentTrace(),
    hostId,
  ];
}

const abandonUnqueued = statement(
  'jobs_abandon_unqueued',
  `UPDATE jobs SET awaited_until = NULL, enqueued_at = NULL
   WHERE tenant_id = $1 AND job_id = $2 AND enqueues = $3 AND ${hasStatus('queued')}`,
);

/** Marks a job that the queue refused as unqueued and unawaited: the sweep enqueues it, an equal request takes it over. */
export async function abandonUnqueuedJob(sql: Sql, { tenantId, jobId, enqueues }: QueueEntry): Promise<void> {
  await sql.rows(abandonUnqueued, [tenantId, jobId, enqueues]);
}
