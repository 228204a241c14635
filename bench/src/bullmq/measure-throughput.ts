import { randomBytes } from 'node:crypto';
import { startChild } from '../load/child-process.ts';
import type { AddTask, EpochMs, QueueLocation, WorkTask } from './tasks.ts';

interface BullmqLoad extends Omit<QueueLocation, 'queue'> {
  count: number;
  /** Jobs that are added concurrently. */
  atOnce: number;
  /** Jobs that the worker runs concurrently. */
  concurrency: number;
}

/**
 * Measures the jobs/s of BullMQ in two processes that also write the job rows. Nothing waits for the result of a job.
 */
export async function measureBullmq({ count, atOnce, concurrency, ...place }: BullmqLoad): Promise<number> {
  const meeting = { ...place, queue: `alone-${randomBytes(6).toString('hex')}` };
  const worker = startChild<WorkTask, EpochMs>('../bullmq/work-child.ts');
  const adder = startChild<AddTask, EpochMs>('../bullmq/add-child.ts');
  try {
    await worker.run({ step: 'start', concurrency, ...meeting });
    const startedAt = await adder.run({ ...meeting, count, atOnce });
    const ended = await worker.run({ step: 'finish', count });
    return (count * 1_000) / (ended - startedAt);
  } finally {
    await Promise.all([worker.close(), adder.close()]);
  }
}
