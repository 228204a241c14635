import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { serveTasks } from '../load/child-process.ts';
import { JobRows } from './job-rows.ts';
import type { AddTask, EpochMs } from './tasks.ts';

/** Inserts job rows and adds their jobs to the queue. Returns the start time. */
async function addAll({
  redisUrl,
  databaseUrl,
  queue: name,
  tenantId,
  count,
  atOnce,
}: AddTask): Promise<EpochMs> {
  const redis = new Redis(redisUrl);
  const queue = new Queue(name, { connection: redis });
  const rows = new JobRows(databaseUrl);
  await queue.waitUntilReady();
  const startedAt = Date.now();
  let next = 0;
  const loop = async () => {
    while (next < count) {
      const group = `${name}-${next}`;
      next += 1;
      const jobId = await rows.insert(tenantId, group);
      const options = { jobId, removeOnComplete: true, removeOnFail: true };
      await queue.add(name, { tenant_id: tenantId, job_id: jobId }, options);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  await queue.close();
  redis.disconnect();
  await rows.close();
  return startedAt;
}

serveTasks(addAll);
