import {
  type JobName,
  type JobNameOf,
  type JobPayload,
  jobCatalog,
  type QueueName,
} from '@continuity/contract';
import type { ClaimedJob } from './job.ts';
import type { JobContext, RunJob } from './run.ts';

/**
 * Does the work of one kind of job. Ends it by `finishJob` or `commitFinishedJob` inside the transaction of its effects. A
 * thrown `ServiceError` becomes the job's error as it is, anything else `internal_error`.
 */
export type JobHandler<Name extends JobName = JobName> = (
  job: ClaimedJob,
  payload: JobPayload<Name>,
  context: JobContext,
) => Promise<void>;

/** One handler for each job of some queues: a missing one does not compile. */
export type JobHandlers<Queue extends QueueName> = { [Name in JobNameOf<Queue>]: JobHandler<Name> };

/** Runs each job by the handler of its name. A job of a newer release, or one with an unreadable payload, fails. */
export function dispatchJobs<Queue extends QueueName>(handlers: JobHandlers<Queue>): RunJob {
  const byName = new Map(Object.entries(handlers) as [JobName, JobHandler][]);
  return async (job, context) => {
    const name = job.operation as JobName;
    const handler = byName.get(name);
    if (handler === undefined) throw new Error(`No handler runs the job ${name}.`);
    await handler(job, jobCatalog[name].payload.parse(job.request) as JobPayload, context);
  };
}
