import type { QueueName } from '@continuity/contract';
import {
  column,
  deploymentStatement,
  isWritableHere,
  optimizationFence,
  pick,
  type RowOfStatement,
  type Sql,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import type { JsonValue } from '@continuity/kernel/json';
import type { QueueAddress, QueueToken } from '@continuity/kernel/queue';
import { type ClaimedJob, hasStatus, isQueued } from './job.ts';

/** Queued jobs that one claim looks at in each range, so that many jobs of one running group cost a bounded time. */
const claimScan = 64;

/** A job is claimable if it is the first queued one of its group, and no job of its group runs. */
const isClaimable = `
  (SELECT 1 FROM jobs other
   WHERE other.tenant_id = waiting.tenant_id AND other.queue = waiting.queue AND other.job_group = waiting.job_group
     AND other.status = 'running' LIMIT 1) IS NULL
  AND waiting.job_id = (
    SELECT first.job_id FROM jobs first
    WHERE first.tenant_id = waiting.tenant_id AND first.queue = waiting.queue AND first.job_group = waiting.job_group
      AND ${isQueued('first')}
    ORDER BY first.background, first.job_id LIMIT 1)`;

/** The queued jobs of the queue from a tenant on, by tenant and age. */
function queuedOf(background: boolean, tenants: string): string {
  return `(SELECT tenant_id, job_id, queue, job_group FROM jobs
    WHERE queue = $1 AND coalesce(host_id, '') = $2 AND background = ${background} AND ${isQueued()} ${tenants}
      AND ${isWritableHere('jobs.tenant_id')}
    ORDER BY tenant_id, job_id LIMIT ${claimScan})`;
}

const afterLast = 'AND tenant_id > $6';

/**
 * The first job of the group of the entry's own job, if its `background` is this. LATERAL with limits keeps look-ups by key. A scalar
 * subquery in its place, which runs once, crashes PostgreSQL 18.4 when a claimed row has changed since the statement began.
 */
function ofOwnGroup(background: boolean): string {
  return `(SELECT first.* FROM (SELECT job_group FROM jobs WHERE tenant_id = $3 AND job_id = $4 LIMIT 1) own
    CROSS JOIN LATERAL (SELECT tenant_id, job_id, queue, job_group FROM jobs
      WHERE tenant_id = $3 AND queue = $1 AND job_group = own.job_group AND ${isQueued()} AND background = ${background}
        AND ${isWritableHere('jobs.tenant_id')}
      ORDER BY job_id LIMIT 1) first)`;
}

/**
 * Tenants take turns: an entry of the queue stands for one claimable job of any tenant, and the claim takes the next one after
 * tenant $6. Background jobs follow all others. The group of the entry's own job is the fallback, so that its job is found behind
 * many jobs of a running group as well. The joins are nested loops (`plannerSettings`), which keep the order of the union.
 *
 * A locked job is being claimed, joined or cancelled, and is skipped. OFFSET makes the conditions part of the outer query: the server
 * would otherwise prepare them for each part of the union, at each claim.
 */
const claimNext = deploymentStatement(
  'jobs_claim',
  `WITH chosen AS MATERIALIZED (
     SELECT jobs.tenant_id, jobs.job_id FROM (
       ${queuedOf(false, afterLast)}
       UNION ALL ${queuedOf(false, '')}
       UNION ALL ${ofOwnGroup(false)}
       UNION ALL ${queuedOf(true, afterLast)}
       UNION ALL ${queuedOf(true, '')}
       UNION ALL ${ofOwnGroup(true)}
       ${optimizationFence}
     ) waiting
     JOIN jobs ON jobs.tenant_id = waiting.tenant_id AND jobs.job_id = waiting.job_id
     WHERE ${hasStatus('queued')} AND ${isClaimable}
     LIMIT 1 FOR UPDATE OF jobs SKIP LOCKED
   )
   UPDATE jobs SET status = 'running', attempt = attempt + 1, worker_id = $5, started_at = now(), progress = NULL
   FROM chosen WHERE jobs.tenant_id = chosen.tenant_id AND jobs.job_id = chosen.job_id
   RETURNING jobs.tenant_id, jobs.job_id, queue, host_id, operation, scope_id, job_group, background, request, work_key, trace,
     attempt, is_suspect, (extract(epoch FROM now() - created_at) * 1000)::float8 AS waited_ms`,
  {
    ...pick(
      tables.jobs,
      'tenant_id',
      'job_id',
      'host_id',
      'operation',
      'scope_id',
      'job_group',
      'background',
      'work_key',
      'trace',
      'attempt',
      'is_suspect',
    ),
    queue: tables.jobs.queue.as<QueueName>(),
    request: tables.jobs.request.as<JsonValue>(),
    waited_ms: column.double,
  },
);

type ClaimedRow = RowOfStatement<typeof claimNext>;

export interface Claim {
  job: ClaimedJob;
  /** Whether the job may have ended a worker: it must run alone in its process. */
  isSuspect: boolean;
  /** Time since the request, in milliseconds. */
  waitedMs: number;
}

/** Parameters of `claimJob`. */
interface ClaimRequest {
  queue: QueueAddress;
  /** The entry that the queue delivered. */
  token: QueueToken;
  workerId: string;
  /** The tenant of this process's last claim in the queue. */
  lastTenant: TenantId | undefined;
}

/**
 * Claims the job whose turn it is in the queue. Undefined when none is claimable: a run that holds a group enqueues the next job of
 * the group at its end, so this entry may be dropped.
 */
export async function claimJob(sql: Sql, request: ClaimRequest): Promise<Claim | undefined> {
  const row = await claimedRow(sql, request);
  if (row === undefined) return undefined;
  const { tenant_id, job_id, host_id, scope_id, job_group, work_key, is_suspect, waited_ms, ...same } = row;
  const job = {
    tenantId: tenant_id,
    jobId: job_id,
    hostId: host_id,
    scopeId: scope_id,
    group: job_group,
    workKey: work_key,
    ...same,
  };
  return { job, isSuspect: is_suspect, waitedMs: waited_ms };
}

async function claimedRow(
  sql: Sql,
  { queue: { queue, hostId }, token, workerId, lastTenant }: ClaimRequest,
): Promise<ClaimedRow | undefined> {
  const values = [queue, hostId ?? '', token.tenant_id, token.job_id, workerId, lastTenant ?? 0];
  for (;;) {
    try {
      return await sql.first(claimNext, values);
    } catch (error) {
      // Two claims of one group at the same time: the index admits one, and this one chooses again.
      if (!isUniqueViolation(error, 'jobs_group_running')) throw error;
    }
  }
}
