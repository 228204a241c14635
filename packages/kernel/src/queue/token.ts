import type { QueueName } from '@continuity/contract';
import { z } from 'zod';
import type { TenantId } from '../database/columns.ts';
import { hashHex } from '../json/canonical-json.ts';

/** The data of a queue entry: the key of the job's row, and nothing else. */
export const queueToken = z.strictObject({
  tenant_id: z.int().transform((id) => id as TenantId),
  job_id: z.uuid(),
});

export type QueueToken = z.infer<typeof queueToken>;

/** A queue in the store. Jobs that name a host have a queue for each host. */
export interface QueueAddress {
  queue: QueueName;
  /** Null for the jobs that any worker of the queue takes. */
  hostId: string | null;
}

/** Name of the queue in the store. A host id may hold characters that the store does not allow in a name. */
export function storeNameOf({ queue, hostId }: QueueAddress): string {
  return hostId === null ? queue : `${queue}-${hashHex(hostId).slice(0, 32)}`;
}

/** One entry of a job in its queue. */
export interface QueueEntry extends QueueAddress {
  tenantId: TenantId;
  jobId: string;
  /** Number of times that the job has been enqueued, this entry included. */
  enqueues: number;
  /** Delivered only if no other entry waits. */
  background: boolean;
}

/**
 * BullMQ ignores an add under an id that it still knows, so each entry has its own id. A duplicate delivery is harmless:
 * claiming a job is a conditional update in PostgreSQL.
 */
export function entryId({ jobId, enqueues }: QueueEntry): string {
  return `${jobId}-${enqueues}`;
}
