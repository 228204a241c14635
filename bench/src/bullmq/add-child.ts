import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { serveTasks } from '../load/child.ts';
import { JobRows } from './rows.ts';
import type { AddTask, Moment } from './tasks.ts';

/** Writes rows and adds their jobs as fast as both go. Answers when it began. */
async function addAll({
  redisUrl,
  databaseUrl,
  queue: name,
  tenantId,
  count,
  atOnce,
}: AddTask): Promise<Moment> {
  const redis = new Redis(redisUrl);
  const queue = new Queue(name, { connection: redis });
  const rows = new JobRows(databaseUrl);
  await queue.waitUntilReady();
  const begun = Date.now();
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
  return begun;
}

serveTasks(addAll);
