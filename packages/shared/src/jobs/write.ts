import {
  currentTrace,
  type Database,
  type JsonValue,
  newId,
  type Sql,
  type Statement,
  statement,
} from '@continuity/shared/kernel';
import type { QueueEntry } from '@continuity/shared/kernel/queue';
import type { JobStatus, NewJob } from './job.ts';
import { sqlInterval, takeOverMs } from './times.ts';

/** The row that a request got: its own new one, or one that an earlier equal request left behind. */
export interface WrittenJob {
  entry: QueueEntry;
  status: JobStatus;
  result: JsonValue;
  /** Until when the row is this request's to wait for; also what tells its wait from an earlier one. */
  awaitedUntil: Date | null;
}

interface WrittenRow {
  job_id: string;
  status: JobStatus;
  result: JsonValue;
  awaited_until: Date | null;
  enqueues: number;
}

/** Jobs of the last hour whose answer nobody has got yet. */
const isUndelivered = `delivered_at IS NULL AND created_at > now() - ${sqlInterval(takeOverMs)}`;

/** And whose callers have gone without it. */
const isLeft = `${isUndelivered} AND (awaited_until IS NULL OR awaited_until < now()) AND status <> 'failed'`;

/**
 * Null for $9, the time to wait, hands out the id instead, which counts as delivery. A failed job is not taken over: what
 * failed may work now. The row lock makes the finish of a run and a second equal request wait, and then look again.
 */
const insertOrTakeOver = insertUnless('jobs_insert_or_take_over', isLeft);

const insertOrShare = insertUnless('jobs_insert_or_share', `(${isLeft} OR status IN ('queued', 'running'))`);

function insertUnless(name: string, isToBeTaken: string): Statement {
  return statement(
    name,
    `WITH earlier AS (
     SELECT tenant_id, job_id FROM jobs
     WHERE tenant_id = $1 AND queue = $3 AND lane = $6 AND NOT background
       AND operation = $4 AND request = $7::jsonb AND ${isToBeTaken}
     ORDER BY job_id LIMIT 1 FOR UPDATE
   ), taken AS (
     UPDATE jobs SET
       awaited_until = greatest(
         CASE WHEN awaited_until > now() THEN awaited_until END, now() + $9::int * interval '1 millisecond'),
       delivered_at = CASE WHEN $9::int IS NULL OR status = 'succeeded' THEN now() ELSE delivered_at END,
       enqueues = CASE WHEN status = 'queued' THEN enqueues + 1 ELSE enqueues END,
       enqueued_at = CASE WHEN status = 'queued' THEN now() ELSE enqueued_at END
     FROM earlier WHERE jobs.tenant_id = earlier.tenant_id AND jobs.job_id = earlier.job_id
     RETURNING jobs.job_id, status, result, awaited_until, enqueues
   ), added AS (
     INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, lane, request, trace,
                       awaited_until, delivered_at, enqueues, enqueued_at)
     SELECT $1, $2, $3, $4, $5, $6, $7::jsonb, $8,
            now() + $9::int * interval '1 millisecond', CASE WHEN $9::int IS NULL THEN now() END, 1, now()
     WHERE NOT EXISTS (SELECT FROM taken)
     RETURNING job_id, status, result, awaited_until, enqueues
   )
   SELECT * FROM taken UNION ALL SELECT * FROM added`,
  );
}

/** Equal requests at the same moment: one writes the job, the others then see it. */
const lockRequest = statement(
  'jobs_lock_request',
  `SELECT pg_advisory_xact_lock(
     hashtextextended(concat_ws(chr(31), $1::int, $2::text, $3::text, $4::text, ($5::jsonb)::text), 0))`,
);

/**
 * Writes the row of a request that waits `waitMs` for its answer (null: that takes the id and leaves), or takes over
 * the undelivered job of an earlier equal request whose wait is over (spec 00 §7). A shared job is also joined while it
 * waits or runs.
 */
export async function writeJob(database: Database, job: NewJob, waitMs: number | null): Promise<WrittenJob> {
  const row = await writeRow(database, job, [...valuesOf(job), waitMs]);
  if (row === undefined) throw new Error('A job was neither written nor taken over.');
  const entry = {
    queue: job.queue,
    tenantId: job.tenantId,
    jobId: row.job_id,
    enqueues: row.enqueues,
    background: false,
  };
  return { entry, status: row.status, result: row.result, awaitedUntil: row.awaited_until };
}

async function writeRow(
  database: Database,
  { tenantId, queue, operation, lane, request, shared }: NewJob,
  values: unknown[],
): Promise<WrittenRow | undefined> {
  if (shared !== true) return await database.sql.first<WrittenRow>(insertOrTakeOver, values);
  return await database.transaction(async (sql) => {
    await sql.rows(lockRequest, [tenantId, queue, operation, lane, JSON.stringify(request)]);
    return await sql.first<WrittenRow>(insertOrShare, values);
  });
}

/**
 * Whoever is said to wait still may have died with its gateway. If it lives, the request came while its answer was on the
 * way, and the two share it.
 */
const takeLeft = statement(
  'jobs_take_left',
  `UPDATE jobs SET delivered_at = now(), awaited_until = NULL
   WHERE tenant_id = $1 AND job_id = (
     SELECT job_id FROM jobs
     WHERE tenant_id = $1 AND queue = $2 AND lane = $3 AND NOT background
       AND operation = $4 AND request = $5::jsonb AND ${isUndelivered} AND status = 'succeeded'
     ORDER BY job_id LIMIT 1 FOR UPDATE)
   RETURNING job_id, result`,
);

/** Takes the result of a shared job that an earlier equal request never received. Needs neither worker nor queue. */
export async function takeLeftResult(
  sql: Sql,
  { tenantId, queue, operation, lane, request }: NewJob,
): Promise<{ jobId: string; result: JsonValue } | undefined> {
  const values = [tenantId, queue, lane, operation, JSON.stringify(request)];
  const row = await sql.first<{ job_id: string; result: JsonValue }>(takeLeft, values);
  return row && { jobId: row.job_id, result: row.result };
}

const insertBackground = statement(
  'jobs_insert_background',
  `INSERT INTO jobs (tenant_id, job_id, queue, operation, scope_id, lane, request, trace,
                     background, enqueues, enqueued_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, true, 1, now())
   ON CONFLICT (tenant_id, queue, lane) WHERE background AND status = 'queued' DO NOTHING
   RETURNING job_id`,
);

/** Writes a job that no request waits for, unless one waits in its lane already. */
export async function writeBackgroundJob(sql: Sql, job: NewJob): Promise<QueueEntry | undefined> {
  const row = await sql.first<{ job_id: string }>(insertBackground, valuesOf(job));
  if (row === undefined) return undefined;
  const { queue, tenantId } = job;
  return { queue, tenantId, jobId: row.job_id, enqueues: 1, background: true };
}

function valuesOf({ tenantId, queue, operation, scopeId, lane, request }: NewJob): unknown[] {
  return [tenantId, newId(), queue, operation, scopeId, lane, JSON.stringify(request), currentTrace()];
}

const abandonUnqueued = statement(
  'jobs_abandon_unqueued',
  `UPDATE jobs SET awaited_until = NULL, enqueued_at = NULL
   WHERE tenant_id = $1 AND job_id = $2 AND enqueues = $3 AND status = 'queued'`,
);

/** Notes that the queue did not take a job, and that its request has gone: the sweep queues it, a retry finds it. */
export async function abandonUnqueuedJob(sql: Sql, { tenantId, jobId, enqueues }: QueueEntry): Promise<void> {
  await sql.rows(abandonUnqueued, [tenantId, jobId, enqueues]);
}
