import type { QueueName } from '@continuity/contract';
import {
  column,
  deploymentStatement,
  isWritableHere,
  pick,
  type Sql,
  tables,
} from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import { lowestId } from '@continuity/kernel/text';
import { queuedAgain } from './retry.ts';
import { replayBatch } from './times.ts';

/** Which failed jobs to queue again, of all tenants. */
interface Replay {
  queue: QueueName;
  /** Code of their error. */
  code?: string | undefined;
  /** Time since their end, in milliseconds. Default 0. */
  olderThanMs?: number | undefined;
}

/** By the clock of the database, as all ends of jobs are. */
const readUntil = deploymentStatement(
  'jobs_read_replay_until',
  `SELECT now() - $1::bigint * interval '1 millisecond' AS until`,
  { until: column.timestamptz },
);

const matches = (job: string) =>
  `${job}.status = 'failed' AND ${job}.queue = $1 AND ${job}.finished_at <= $3::timestamptz
   AND ($2::text IS NULL OR ${job}.error ->> 'code' = $2)`;

/** Jobs of one key do the same work, so one of them is enough, and none if another one is unfinished. */
const isNeeded = `(job.work_key IS NULL OR NOT EXISTS (
  SELECT FROM jobs other WHERE other.tenant_id = job.tenant_id AND other.work_key = job.work_key
    AND (other.status IN ('queued', 'running') OR ${matches('other')} AND other.job_id > job.job_id)))`;

const selectMatching = deploymentStatement(
  'jobs_select_replay',
  `SELECT tenant_id, job_id FROM jobs job
   WHERE ${matches('job')} AND ${isNeeded} AND ${isWritableHere('job.tenant_id')}
     AND (tenant_id, job_id) > ($4, $5)
   ORDER BY tenant_id, job_id LIMIT ${replayBatch}`,
  pick(tables.jobs, 'tenant_id', 'job_id'),
);

/** Clears the time of the queue entry, so that the next sweep of any worker enqueues the jobs. */
const queueAgain = deploymentStatement(
  'jobs_replay',
  `UPDATE jobs SET ${queuedAgain}, enqueues = enqueues + 1, enqueued_at = NULL
   FROM unnest($1::int[], $2::uuid[]) AS again (tenant_id, job_id)
   WHERE jobs.tenant_id = again.tenant_id AND jobs.job_id = again.job_id AND jobs.status = 'failed'
   RETURNING jobs.tenant_id, jobs.job_id`,
  pick(tables.jobs, 'tenant_id', 'job_id'),
);

/**
 * Queues failed jobs again, of all tenants, in batches that commit on their own. Returns how many. Of the jobs that do the same
 * work, it takes the newest one, and none while another one is queued or running. `isDryRun` only counts.
 */
export async function replayFailedJobs(
  sql: Sql,
  { queue, code, olderThanMs = 0 }: Replay,
  isDryRun: boolean,
): Promise<number> {
  const until = (await sql.first(readUntil, [olderThanMs]))?.until;
  let replayed = 0;
  let after: [number, string] = [0, lowestId];
  for (;;) {
    const batch = await sql.rows(selectMatching, [queue, code ?? null, until, ...after]);
    const last = batch.at(-1);
    if (last === undefined) return replayed;
    replayed += isDryRun ? batch.length : await queueBatch(sql, batch);
    after = [last.tenant_id, last.job_id];
  }
}

type Key = { tenant_id: number; job_id: string };

/** Queues a batch; its jobs one by one if a request has begun the same work meanwhile. Returns how many. */
async function queueBatch(sql: Sql, batch: Key[]): Promise<number> {
  try {
    const columns = [batch.map(({ tenant_id }) => tenant_id), batch.map(({ job_id }) => job_id)];
    return (await sql.rows(queueAgain, columns)).length;
  } catch (error) {
    if (!isUniqueViolation(error, 'jobs_work_key')) throw error;
    if (batch.length === 1) return 0;
    let replayed = 0;
    for (const job of batch) replayed += await queueBatch(sql, [job]);
    return replayed;
  }
}
