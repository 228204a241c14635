import { jobCatalog } from '@continuity/contract';

// Limits of one batch, so that no statement grows with the backlog.

/** Jobs of one tenant written by one statement. */
export const insertBatch = 100;

/** Results fetched by one statement. */
export const deliveryBatch = 500;

/** Ended jobs settled by one statement. */
export const settleBatch = 100;

/** Lost or missing jobs handled by one step of the sweep. */
export const sweepBatch = 500;

/** Failed jobs that one statement queues again. */
export const replayBatch = 500;

/** Old rows deleted by one sweep. */
export const deleteBatch = 2_000;

/** Limit of lost workers that count against a job, by its name. A job that reaches it fails. */
export const attemptLimits: Record<string, number> = Object.fromEntries(
  Object.entries(jobCatalog).map(([name, { limits }]) => [name, limits.attempts]),
);
