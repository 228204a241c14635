import { jobCatalog, type QueueName, queueNames } from '@continuity/contract';
import {
  type Database,
  deploymentStatement,
  isWritableHere,
  pick,
  statement,
  tables,
} from '@continuity/kernel/database';
import type { QueueEntry, QueueProducer } from '@continuity/kernel/queue';
import type { Logger } from '@continuity/kernel/telemetry';
import type { ClaimedJob, OnJobEvent } from './job.ts';
import { type Requeued, requeueForgotten, requeueLost } from './requeue.ts';
import {
  deadWorkerRetentionMs,
  deleteBatch,
  isRecent,
  reconcileRetentionMs,
  retentionMs,
  sqlInterval,
  sweepBatch,
  unclaimedMs,
} from './times.ts';

interface SweepOptions {
  database: Database;
  producer: QueueProducer;
  workerId: string;
  running: () => ClaimedJob[];
  failedRetentionDays: number;
  logger: Logger;
  onJobEvent: OnJobEvent;
}

/** The columns of a `QueueEntry`. */
const entryColumns = {
  ...pick(tables.jobs, 'background', 'enqueues'),
  queue: tables.jobs.queue.as<QueueName>(),
  tenantId: tables.jobs.tenant_id,
  jobId: tables.jobs.job_id,
  hostId: tables.jobs.host_id,
};

/** `entryColumns` in SQL. */
const entryList =
  'jobs.tenant_id AS "tenantId", jobs.job_id AS "jobId", queue, host_id AS "hostId", background, jobs.enqueues';

/** Selects queued jobs that may be missing in the queue, and marks them as checked. Jobs whose group is running are skipped. */
const selectUnclaimed = deploymentStatement(
  'jobs_select_unclaimed',
  `WITH unclaimed AS (
     SELECT tenant_id, job_id FROM jobs
     WHERE queue = ANY($1) AND status = 'queued' AND ${isWritableHere('jobs.tenant_id')}
       AND (enqueued_at IS NULL OR NOT (${isRecent('enqueued_at', unclaimedMs)}))
       AND NOT EXISTS (
         SELECT FROM jobs other WHERE other.tenant_id = jobs.tenant_id AND other.queue = jobs.queue
           AND other.job_group = jobs.job_group AND other.status = 'running')
     ORDER BY enqueued_at NULLS FIRST LIMIT ${sweepBatch} FOR UPDATE SKIP LOCKED
   )
   UPDATE jobs SET enqueued_at = now()
   FROM unclaimed WHERE jobs.tenant_id = unclaimed.tenant_id AND jobs.job_id = unclaimed.job_id
   RETURNING ${entryList}`,
  entryColumns,
);

/** A new number gives the job a new entry id: the queue ignores an entry whose id it still knows. */
const renumber = statement(
  'jobs_renumber',
  `WITH taken AS (
     SELECT tenant_id, job_id FROM unnest($1::int[], $2::uuid[], $3::int[]) AS entry (tenant_id, job_id, enqueues)
     JOIN jobs USING (tenant_id, job_id, enqueues)
     WHERE status = 'queued' FOR UPDATE OF jobs SKIP LOCKED
   )
   UPDATE jobs SET enqueues = jobs.enqueues + 1, enqueued_at = now()
   FROM taken WHERE jobs.tenant_id = taken.tenant_id AND jobs.job_id = taken.job_id
   RETURNING ${entryList}`,
  entryColumns,
);

const reconcileQueue = jobCatalog.reconcile_remote_skills.queue;

const deleteEnded = deploymentStatement(
  'jobs_delete_ended',
  deleteWhere(`status <> 'failed' AND finished_at < now() - ${sqlInterval(retentionMs)}`),
);

const deleteEndedReconciles = deploymentStatement(
  'jobs_delete_ended_reconciles',
  deleteWhere(
    `queue = '${reconcileQueue}' AND status IN ('succeeded', 'cancelled') AND finished_at < now() - ${sqlInterval(reconcileRetentionMs)}`,
  ),
);

const deleteFailed = deploymentStatement(
  'jobs_delete_failed',
  deleteWhere("status = 'failed' AND finished_at < now() - $1::int * interval '1 day'"),
);

function deleteWhere(isOld: string): string {
  return `DELETE FROM jobs USING (
     SELECT tenant_id, job_id FROM jobs WHERE ${isOld} AND ${isWritableHere('jobs.tenant_id')}
     LIMIT ${deleteBatch} FOR UPDATE SKIP LOCKED
   ) old WHERE jobs.tenant_id = old.tenant_id AND jobs.job_id = old.job_id`;
}

const deleteDeadWorkers = deploymentStatement(
  'jobs_delete_dead_workers',
  `DELETE FROM workers WHERE seen_at < now() - ${sqlInterval(deadWorkerRetentionMs)}`,
);

/**
 * Recovers jobs of dead workers and jobs that are missing in their queue. A timer calls it, not a BullMQ job scheduler,
 * because it must survive an emptied queue store. All workers sweep at the same time: each statement commits on its own and
 * skips locked rows, so a worker that freezes in its sweep delays no other. It leaves what it has marked to the next sweeps.
 */
export async function sweep(options: SweepOptions): Promise<void> {
  const { database, workerId, running, failedRetentionDays } = options;
  await enqueueRequeued(options, await requeueForgotten(database.sql, queueNames, workerId, running()));
  let mayHaveMore = true;
  while (mayHaveMore) {
    const requeued = await requeueLost(database.sql, queueNames);
    await enqueueRequeued(options, requeued);
    const unclaimed = await database.sql.rows(selectUnclaimed, [queueNames]);
    const added = await addMissing(options, unclaimed);
    mayHaveMore = added === sweepBatch || requeued.length === sweepBatch;
  }
  await database.sql.rows(deleteEnded, []);
  await database.sql.rows(deleteEndedReconciles, []);
  await database.sql.rows(deleteFailed, [failedRetentionDays]);
  await database.sql.rows(deleteDeadWorkers, []);
}

/** Logs and counts requeued jobs, and adds them to their queues. */
export async function enqueueRequeued(
  { producer, logger, onJobEvent }: Pick<SweepOptions, 'producer' | 'logger' | 'onJobEvent'>,
  requeued: Requeued[],
): Promise<void> {
  for (const { entry, status } of requeued) {
    const event = status === 'failed' ? 'failed' : 'requeued';
    logger.warn({ queue: entry.queue, job_id: entry.jobId, status }, 'a running job was requeued or failed');
    onJobEvent({ queue: entry.queue, event, ms: 0 });
  }
  const queued = requeued.filter(({ status }) => status === 'queued').map(({ entry }) => entry);
  if (queued.length > 0) await producer.add(queued);
}

/**
 * Adds jobs that the queue lost, or whose entries served for jobs of other tenants. A process that took an entry seconds ago without
 * claiming a job has died or hangs; the queue itself would redeliver the entry only after a minute.
 */
async function addMissing(
  { database, producer, logger }: SweepOptions,
  unclaimed: QueueEntry[],
): Promise<number> {
  if (unclaimed.length === 0) return 0;
  const { missing, taken } = await producer.lookUp(unclaimed);
  // The queue has forgotten the ids of missing entries, so they keep their number.
  const entries = [...missing, ...(await renumbered(database, taken))];
  if (entries.length === 0) return 0;
  await producer.add(entries);
  logger.info({ jobs: entries.length }, 'added entries of queued jobs to their queues');
  return entries.length;
}

async function renumbered({ sql }: Database, taken: QueueEntry[]): Promise<QueueEntry[]> {
  if (taken.length === 0) return [];
  return await sql.rows(renumber, [
    taken.map(({ tenantId }) => tenantId),
    taken.map(({ jobId }) => jobId),
    taken.map(({ enqueues }) => enqueues),
  ]);
}
