import type { JobStatus, QueueName } from '@continuity/contract';
import {
  column,
  isUniqueViolation,
  type JsonValue,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  tables,
} from '@continuity/shared/kernel';
import type { QueueEntry, QueueToken } from '@continuity/shared/kernel/queue';
import type { ClaimedJob } from './job.ts';

/**
 * A queue entry stands for its group: the statement claims the first queued job of the group, whichever entry arrived. Scalar
 * subqueries keep look-ups by key even in a plan that was made while the table was empty.
 */
const claimFirst = statement(
  'jobs_claim',
  `WITH entry AS (
     SELECT queue, job_group FROM jobs WHERE tenant_id = $1 AND job_id = $2
   )
   UPDATE jobs SET status = 'running', attempt = attempt + 1, worker_id = $3, started_at = now(), progress = NULL
   WHERE tenant_id = $1 AND job_id = (
       SELECT job_id FROM jobs
       WHERE tenant_id = $1 AND queue = (SELECT queue FROM entry) AND job_group = (SELECT job_group FROM entry)
         AND status = 'queued'
       ORDER BY background, job_id LIMIT 1 FOR UPDATE)
     AND NOT EXISTS (
       SELECT FROM jobs
       WHERE tenant_id = $1 AND queue = (SELECT queue FROM entry) AND job_group = (SELECT job_group FROM entry)
         AND status = 'running')
   RETURNING job_id, queue, host_id, operation, scope_id, job_group, background, request, work_key, trace, attempt,
     (extract(epoch FROM now() - created_at) * 1000)::float8 AS waited_ms`,
  {
    ...pick(
      tables.jobs,
      'job_id',
      'host_id',
      'operation',
      'scope_id',
      'job_group',
      'background',
      'work_key',
      'trace',
      'attempt',
    ),
    queue: tables.jobs.queue.as<QueueName>(),
    request: tables.jobs.request.as<JsonValue>(),
    waited_ms: column.double,
  },
);

type ClaimedRow = RowOfStatement<typeof claimFirst>;

export interface Claim {
  job: ClaimedJob;
  /** Time since the request, in milliseconds. */
  waitedMs: number;
}

/**
 * Claims the first queued job in the group of the entry's job. Undefined when another run holds the group or the group is
 * empty: the run that holds a group enqueues its next job at its end, so this entry may be dropped.
 */
export async function claimJob(sql: Sql, token: QueueToken, workerId: string): Promise<Claim | undefined> {
  const row = await claimedRow(sql, token, workerId);
  if (row === undefined) return undefined;
  const { job_id, host_id, scope_id, job_group, work_key, waited_ms, ...same } = row;
  const job = {
    tenantId: token.tenant_id,
    jobId: job_id,
    hostId: host_id,
    scopeId: scope_id,
    group: job_group,
    workKey: work_key,
    ...same,
  };
  return { job, waitedMs: waited_ms };
}

async function claimedRow(sql: Sql, token: QueueToken, workerId: string): Promise<ClaimedRow | undefined> {
  try {
    return await sql.first(claimFirst, [token.tenant_id, token.job_id, workerId]);
  } catch (error) {
    // Two claims of one group at the same time: the index admits one.
    if (isUniqueViolation(error, 'jobs_group_running')) return undefined;
    throw error;
  }
}

const settle = statement(
  'jobs_settle',
  `WITH next AS (
     UPDATE jobs SET enqueues = enqueues + 1, enqueued_at = now()
     WHERE tenant_id = $1 AND job_id = (
       SELECT job_id FROM jobs WHERE tenant_id = $1 AND queue = $4 AND job_group = $5 AND status = 'queued'
       ORDER BY background, job_id LIMIT 1 FOR UPDATE)
     RETURNING job_id, background, enqueues
   )
   SELECT (SELECT status FROM jobs WHERE tenant_id = $1 AND job_id = $2 AND attempt = $3) AS status,
     next.job_id, next.background, next.enqueues
   FROM (VALUES (true)) one LEFT JOIN next ON true`,
  {
    ...pick(tables.jobs, 'background', 'enqueues'),
    status: column.text.orNull().as<JobStatus>(),
    job_id: tables.jobs.job_id.orNull(),
  },
);

export interface Settled {
  /** Null when the job was requeued during the run. */
  status: JobStatus | null;
  /** The next queued job of the group. */
  next: QueueEntry | undefined;
}

/** Reads the job's status after a run, and selects the next job of its group. Runs after the commit of the run. */
export async function settleJob(sql: Sql, job: ClaimedJob): Promise<Settled> {
  const { tenantId, jobId, attempt, queue, hostId, group } = job;
  const row = await sql.first(settle, [tenantId, jobId, attempt, queue, group]);
  if (row?.job_id == null) return { status: row?.status ?? null, next: undefined };
  const { status, background, enqueues } = row;
  return { status, next: { queue, hostId, tenantId, jobId: row.job_id, background, enqueues } };
}
