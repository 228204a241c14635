import type { QueueName } from '@continuity/contract';
import { z } from 'zod';

/** All that a queue ever carries: where the job's row is. */
export const queueToken = z.strictObject({ tenant_id: z.int(), job_id: z.uuid() });

export type QueueToken = z.infer<typeof queueToken>;

/** One placing of a job in its queue. */
export interface QueueEntry {
  queue: QueueName;
  tenantId: number;
  jobId: string;
  /** How often the job has been put into the queue, this time included. */
  enqueues: number;
  /** Taken only when nothing else waits. */
  background: boolean;
}

/**
 * BullMQ ignores an add under an id that it still knows, so each placing has its own. A job that is delivered twice is
 * harmless: taking it is a conditional update in PostgreSQL.
 */
export function entryId({ jobId, enqueues }: QueueEntry): string {
  return `${jobId}-${enqueues}`;
}
