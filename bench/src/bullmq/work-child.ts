import { Worker } from 'bullmq';
import { serveTasks } from '../load/child-process.ts';
import { JobRows } from './job-rows.ts';
import type { EpochMs, WorkTask } from './tasks.ts';

const idle = {
  status: 'idle',
  previous_cursor: 0,
  current_cursor: 0,
  high_watermark: 0,
  processed_source_count: 0,
  memory: null,
};

let ended = 0;
let lastEnd = 0;
let wanted = Number.POSITIVE_INFINITY;
let close = async () => {};
const done = Promise.withResolvers<void>();

async function start(task: Extract<WorkTask, { step: 'start' }>): Promise<void> {
  const rows = new JobRows(task.databaseUrl);
  const worker = new Worker<{ tenant_id: number; job_id: string }>(
    task.queue,
    async ({ data: { tenant_id: tenantId, job_id: jobId } }) => {
      await rows.take(tenantId, jobId);
      await rows.end(tenantId, jobId, idle);
      ended += 1;
      lastEnd = Date.now();
      if (ended === wanted) done.resolve();
    },
    { connection: { url: task.redisUrl, maxRetriesPerRequest: null }, concurrency: task.concurrency },
  );
  await worker.waitUntilReady();
  close = async () => {
    await worker.close();
    await rows.close();
  };
}

/** Resolves when `count` jobs are completed. */
async function finish(count: number): Promise<void> {
  wanted = count;
  if (ended >= count) done.resolve();
  await done.promise;
  await close();
}

serveTasks(async (task: WorkTask): Promise<EpochMs> => {
  await (task.step === 'start' ? start(task) : finish(task.count));
  return lastEnd;
});
