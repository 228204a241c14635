import { randomBytes } from 'node:crypto';
import { startChild } from '../load/child.ts';
import type { AddTask, Meeting, Moment, WorkTask } from './tasks.ts';

export interface AloneOptions extends Omit<Meeting, 'queue'> {
  count: number;
  /** Jobs on their way into the queue at once. */
  atOnce: number;
  /** Jobs that the worker runs side by side. */
  concurrency: number;
}

/**
 * Jobs a second that BullMQ gets through in two processes when each job also has its row written. Nobody waits for an
 * answer.
 */
export async function runAlone({ count, atOnce, concurrency, ...place }: AloneOptions): Promise<number> {
  const meeting = { ...place, queue: `alone-${randomBytes(6).toString('hex')}` };
  const worker = startChild<WorkTask, Moment>('../bullmq/work-child.ts');
  const adder = startChild<AddTask, Moment>('../bullmq/add-child.ts');
  try {
    await worker.run({ step: 'start', concurrency, ...meeting });
    const begun = await adder.run({ ...meeting, count, atOnce });
    const ended = await worker.run({ step: 'finish', count });
    return (count * 1_000) / (ended - begun);
  } finally {
    await Promise.all([worker.close(), adder.close()]);
  }
}
