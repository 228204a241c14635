import type { QueueName } from '@continuity/contract';
import { isUniqueViolation, type JsonValue, type Sql, statement } from '@continuity/shared/kernel';
import type { QueueEntry, QueueToken } from '@continuity/shared/kernel/queue';
import type { ClaimedJob, JobStatus } from './job.ts';

interface ClaimedRow {
  job_id: string;
  queue: QueueName;
  operation: string;
  scope_id: string | null;
  lane: string;
  background: boolean;
  request: JsonValue;
  trace: string | null;
  attempt: number;
  waited_ms: number;
}

/**
 * A delivery stands for its lane: the first job of the lane is taken, whichever was delivered. Scalar subqueries, because
 * a plan made while the table was empty must still find its rows by key when it is full.
 */
const claimFirst = statement(
  'jobs_claim',
  `WITH delivered AS (
     SELECT queue, lane FROM jobs WHERE tenant_id = $1 AND job_id = $2
   )
   UPDATE jobs SET status = 'running', attempt = attempt + 1, worker_id = $3, started_at = now(), progress = NULL
   WHERE tenant_id = $1 AND job_id = (
       SELECT job_id FROM jobs
       WHERE tenant_id = $1 AND queue = (SELECT queue FROM delivered) AND lane = (SELECT lane FROM delivered)
         AND status = 'queued'
       ORDER BY background, job_id LIMIT 1 FOR UPDATE)
     AND NOT EXISTS (
       SELECT FROM jobs
       WHERE tenant_id = $1 AND queue = (SELECT queue FROM delivered) AND lane = (SELECT lane FROM delivered)
         AND status = 'running')
   RETURNING job_id, queue, operation, scope_id, lane, background, request, trace, attempt,
     (extract(epoch FROM now() - created_at) * 1000)::float8 AS waited_ms`,
);

export interface Claim {
  job: ClaimedJob;
  /** Milliseconds since the request. */
  waitedMs: number;
}

/**
 * Takes the first queued job of the lane of the job that was delivered. Undefined where another run holds the lane or
 * nothing is left: whoever holds it queues the next one when it ends, so that letting go loses nothing.
 */
export async function claimJob(sql: Sql, token: QueueToken, workerId: string): Promise<Claim | undefined> {
  const row = await claimedRow(sql, token, workerId);
  if (row === undefined) return undefined;
  const { job_id, scope_id, waited_ms, ...same } = row;
  const job = { tenantId: token.tenant_id, jobId: job_id, scopeId: scope_id, ...same };
  return { job, waitedMs: waited_ms };
}

async function claimedRow(sql: Sql, token: QueueToken, workerId: string): Promise<ClaimedRow | undefined> {
  try {
    return await sql.first<ClaimedRow>(claimFirst, [token.tenant_id, token.job_id, workerId]);
  } catch (error) {
    // Two claims of one lane at the same moment: the index lets one through.
    if (isUniqueViolation(error, 'jobs_lane_running')) return undefined;
    throw error;
  }
}

const settle = statement(
  'jobs_settle',
  `WITH next AS (
     UPDATE jobs SET enqueues = enqueues + 1, enqueued_at = now()
     WHERE tenant_id = $1 AND job_id = (
       SELECT job_id FROM jobs WHERE tenant_id = $1 AND queue = $4 AND lane = $5 AND status = 'queued'
       ORDER BY background, job_id LIMIT 1 FOR UPDATE)
     RETURNING job_id, background, enqueues
   )
   SELECT (SELECT status FROM jobs WHERE tenant_id = $1 AND job_id = $2 AND attempt = $3) AS status,
     next.job_id, next.background, next.enqueues
   FROM (VALUES (true)) one LEFT JOIN next ON true`,
);

interface SettledRow {
  status: JobStatus | null;
  job_id: string | null;
  background: boolean;
  enqueues: number;
}

export interface Settled {
  /** What became of the run; null when it was taken away. */
  status: JobStatus | null;
  /** The job of the lane that is to be queued now. */
  next: QueueEntry | undefined;
}

/** After a run: what its row says, and which job of the lane is next. A statement of its own, after the commit. */
export async function settleJob(sql: Sql, job: ClaimedJob): Promise<Settled> {
  const { tenantId, jobId, attempt, queue, lane } = job;
  const row = await sql.first<SettledRow>(settle, [tenantId, jobId, attempt, queue, lane]);
  if (row?.job_id == null) return { status: row?.status ?? null, next: undefined };
  const { status, background, enqueues } = row;
  return { status, next: { queue, tenantId, jobId: row.job_id, background, enqueues } };
}
