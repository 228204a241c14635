/** Every time of the queue kernel, in milliseconds, with its meaning. What an operator may change is a setting. */

/** How often a worker process says that it lives. */
export const heartbeatMs = 2_000;

/** A process seen within this time counts as alive for new requests: three heartbeats. */
export const aliveMs = 6_000;

/** The jobs of a process not seen for this long run again elsewhere: five heartbeats. */
export const lostMs = 10_000;

/** For how long a gateway uses one answer about live workers. */
export const directoryCacheMs = 1_000;

/** How often a gateway looks after all jobs that it waits for, in case a notification was lost. */
export const pollMs = 1_000;

/** For how long an equal request may take over an undelivered job, counted from its first request (spec 00 §7). */
export const takeOverMs = 3_600_000;

/** How often a worker process looks for lost jobs. */
export const sweepMs = 1_000;

/** A queued job put into its queue this long ago is looked up there, and put in again where it is gone. */
export const unseenMs = 5_000;

/** For how long a job's row is kept after its end. */
export const keptMs = 86_400_000;

/** For how long the row of a process that died without a word is kept. */
export const deadWorkerKeptMs = 3_600_000;

/** A job that claims to run on this process, but does not, is put back when it is older: an answer was lost. */
export const forgottenMs = 10_000;

/** Pause before a worker asks a database again that did not answer. */
export const databaseRetryMs = 1_000;

/** How long a starting worker waits for its queues before it goes on without them. */
export const startLimitMs = 5_000;

/** A time as SQL says it. */
export function sqlInterval(milliseconds: number): string {
  return `interval '${milliseconds} milliseconds'`;
}
