import { jobCatalog } from '@continuity/contract';
import type { Backoff } from '@continuity/kernel/process';

// Every time of the job kernel, in milliseconds. Values that an operator may change are settings.

/** Interval of a worker's heartbeats. */
export const heartbeatMs = 2_000;

/** A worker seen within this time is live for new requests: three heartbeats. */
export const aliveMs = 6_000;

/** The jobs of a worker not seen for this long are requeued. With the sweep, they run again within 10 s. */
export const lostMs = 7_000;

/** Time to live of a gateway's live workers cache. */
export const liveWorkersCacheMs = 1_000;

/** Interval at which a gateway polls all jobs that it waits for, in case a notification was lost. */
export const pollMs = 1_000;

/** An equal request may take over an undelivered job for this long after its first request (spec 00 §7). */
export const takeOverMs = 3_600_000;

/** Least time between two stored values of a run's progress. */
export const progressMs = 1_000;

/** Interval of a worker's sweep for lost jobs. */
export const sweepMs = 1_000;

/** A job enqueued this long ago and not claimed is looked up in its queue, and enqueued again if it is missing. */
export const unclaimedMs = 5_000;

/** Retention of the row of a job that has succeeded or was cancelled, after its end. */
export const retentionMs = 86_400_000;

/**
 * The same of a reconcile. Every target makes one a minute, and no later request takes its result, so that a day of them would be
 * 14 million rows for 10,000 targets.
 */
export const reconcileRetentionMs = 3_600_000;

/** Retention of the row of a worker that died. */
export const deadWorkerRetentionMs = 3_600_000;

/** A job that is claimed for this process for longer, but does not run, is requeued: the answer to its claim was lost. */
export const forgottenMs = 10_000;

/** Pauses of a worker between its attempts to end a job in a database that does not answer. */
export const databaseBackoff: Backoff = { firstMs: 1_000, longestMs: 5_000 };

/** A job is run again while the database does not answer, for this long: twice the default wait of its caller. */
export const outageMs = 60_000;

/** First pause before such a run. Each following one is twice as long. */
export const firstRerunMs = 250;

/** Limit of a starting worker's wait for its queues. It then goes on without them. */
export const startLimitMs = 5_000;

/** The time as an SQL interval. */
export function sqlInterval(milliseconds: number): string {
  return `interval '${milliseconds} milliseconds'`;
}

/**
 * SQL: whether `column` is at most so far from now. A time in the future is from before the clock of the database was set back, and
 * counts as old: otherwise a lease of that time would last until the clock has caught up.
 */
export function isRecent(column: string, milliseconds: number): string {
  return `${column} BETWEEN now() - ${sqlInterval(milliseconds)} AND now() + ${sqlInterval(milliseconds)}`;
}

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
