import type { Sql } from '@continuity/kernel/database';
import type { QueueProducer } from '@continuity/kernel/queue';
import type { Logger } from '@continuity/kernel/telemetry';
import type { NewJob } from './job.ts';
import { writeBackgroundJob } from './write.ts';

/**
 * Queues a job that no request waits for. False when its group already has a queued background job. When the queue store is
 * down, the row stays and the sweep enqueues it.
 */
export async function queueBackgroundJob(
  { sql, producer, logger }: { sql: Sql; producer: QueueProducer; logger: Logger },
  job: NewJob,
): Promise<boolean> {
  const entry = await writeBackgroundJob(sql, job);
  if (entry === undefined) return false;
  try {
    await producer.add([entry]);
  } catch (error) {
    logger.warn({ err: error, queue: job.queue, job_id: entry.jobId }, 'queueing a background job failed');
  }
  return true;
}
