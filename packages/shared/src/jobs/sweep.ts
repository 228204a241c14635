import { queueNames } from '@continuity/contract';
import { type Database, type Logger, type Sql, statement } from '@continuity/shared/kernel';
import type { QueueEntry, QueueProducer } from '@continuity/shared/kernel/queue';
import type { ClaimedJob, OnJobEvent } from './job.ts';
import { deleteBatch, sweepBatch } from './limits.ts';
import { type PutBack, putBackForgotten, putBackLost } from './put-back.ts';
import { deadWorkerKeptMs, keptMs, sqlInterval, unseenMs } from './times.ts';

export interface SweepOptions {
  database: Database;
  producer: QueueProducer;
  workerId: string;
  running: () => ClaimedJob[];
  logger: Logger;
  onJobEvent: OnJobEvent;
}

/** Any fixed number: the advisory lock that lets one of many sweeping processes sweep. */
const sweepLock = 72_707_370;

const tryLock = statement('jobs_sweep_lock', `SELECT pg_try_advisory_xact_lock(${sweepLock}) AS is_mine`);

/** Touched, so that the same jobs are not looked up again each second. A job whose lane is busy is not waited for. */
const touchUnseen = statement(
  'jobs_touch_unseen',
  `WITH unseen AS (
     SELECT tenant_id, job_id FROM jobs
     WHERE queue = ANY($1) AND status = 'queued'
       AND (enqueued_at IS NULL OR enqueued_at < now() - ${sqlInterval(unseenMs)})
       AND NOT EXISTS (
         SELECT FROM jobs other WHERE other.tenant_id = jobs.tenant_id AND other.queue = jobs.queue
           AND other.lane = jobs.lane AND other.status = 'running')
     ORDER BY enqueued_at NULLS FIRST LIMIT ${sweepBatch} FOR UPDATE SKIP LOCKED
   )
   UPDATE jobs SET enqueued_at = now()
   FROM unseen WHERE jobs.tenant_id = unseen.tenant_id AND jobs.job_id = unseen.job_id
   RETURNING jobs.tenant_id AS "tenantId", jobs.job_id AS "jobId", queue, background, enqueues`,
);

/** The store takes no second entry under an id that it still knows. */
const numberAnew = statement(
  'jobs_number_anew',
  `UPDATE jobs SET enqueues = jobs.enqueues + 1, enqueued_at = now()
   FROM unnest($1::int[], $2::uuid[], $3::int[]) AS taken (tenant_id, job_id, enqueues)
   WHERE jobs.tenant_id = taken.tenant_id AND jobs.job_id = taken.job_id AND jobs.enqueues = taken.enqueues
     AND status = 'queued'
   RETURNING jobs.tenant_id AS "tenantId", jobs.job_id AS "jobId", queue, background, jobs.enqueues`,
);

const deleteOld = statement(
  'jobs_delete_old',
  `DELETE FROM jobs USING (
     SELECT tenant_id, job_id FROM jobs WHERE finished_at < now() - ${sqlInterval(keptMs)}
     LIMIT ${deleteBatch} FOR UPDATE SKIP LOCKED
   ) old WHERE jobs.tenant_id = old.tenant_id AND jobs.job_id = old.job_id`,
);

const deleteDeadWorkers = statement(
  'jobs_delete_dead_workers',
  `DELETE FROM workers WHERE seen_at < now() - ${sqlInterval(deadWorkerKeptMs)}`,
);

/**
 * Finds what was lost: jobs of dead workers, and jobs that are not in their queue. Called by a timer and not by a BullMQ
 * job scheduler, because it must survive a queue store that was emptied.
 */
export async function sweep(options: SweepOptions): Promise<void> {
  const { database, workerId, running } = options;
  await queueAgain(options, await putBackForgotten(database.sql, queueNames, workerId, running()));
  let mayHaveMore = true;
  while (mayHaveMore) {
    const found = await database.transaction(findLost);
    // The queue is asked after the commit: slow work never holds a transaction.
    await queueAgain(options, found.putBack);
    const added = await addMissing(options, found.unseen);
    mayHaveMore = added === sweepBatch || found.putBack.length === sweepBatch;
  }
}

interface Found {
  putBack: PutBack[];
  unseen: QueueEntry[];
}

async function findLost(sql: Sql): Promise<Found> {
  const lock = await sql.first<{ is_mine: boolean }>(tryLock, []);
  if (lock?.is_mine !== true) return { putBack: [], unseen: [] };
  const putBack = await putBackLost(sql, queueNames);
  const unseen = await sql.rows<QueueEntry>(touchUnseen, [queueNames]);
  await sql.rows(deleteOld, []);
  await sql.rows(deleteDeadWorkers, []);
  return { putBack, unseen };
}

/** Tells of jobs that were put back, and adds them to their queues. */
export async function queueAgain(
  { producer, logger, onJobEvent }: Pick<SweepOptions, 'producer' | 'logger' | 'onJobEvent'>,
  putBack: PutBack[],
): Promise<void> {
  for (const { entry, status } of putBack) {
    const event = status === 'failed' ? 'failed' : 'requeued';
    logger.warn({ queue: entry.queue, job_id: entry.jobId, status }, 'a job was taken from its run');
    onJobEvent({ queue: entry.queue, event, ms: 0 });
  }
  const queued = putBack.filter(({ status }) => status === 'queued').map(({ entry }) => entry);
  if (queued.length > 0) await producer.add(queued);
}

/**
 * What was taken out of the queue seconds ago and is still to be claimed was taken by a process that died in between, or
 * as good as did: the store would give it to another one only after a minute.
 */
async function addMissing(
  { database, producer, logger }: SweepOptions,
  unseen: QueueEntry[],
): Promise<number> {
  if (unseen.length === 0) return 0;
  const { missing, taken } = await producer.lookUp(unseen);
  // The store has forgotten the ids of those that are missing, so that it takes them again.
  const entries = [...missing, ...(await numbered(database, taken))];
  if (entries.length === 0) return 0;
  await producer.add(entries);
  logger.warn({ jobs: entries.length }, 'queued jobs were not in their queue, and are again');
  return entries.length;
}

async function numbered({ sql }: Database, taken: QueueEntry[]): Promise<QueueEntry[]> {
  if (taken.length === 0) return [];
  return await sql.rows<QueueEntry>(numberAnew, [
    taken.map(({ tenantId }) => tenantId),
    taken.map(({ jobId }) => jobId),
    taken.map(({ enqueues }) => enqueues),
  ]);
}
