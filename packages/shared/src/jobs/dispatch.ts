import { isJobName, type JobName, type JobPayload, jobCatalogue } from '@continuity/contract';
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

/** One handler for each job of the catalogue: a missing one does not compile. */
export type JobHandlers = { [Name in JobName]: JobHandler<Name> };

/** Runs each job by the handler of its name. A job of a newer release, or one with an unreadable payload, fails. */
export function dispatchJobs(handlers: JobHandlers): RunJob {
  return async (job, context) => {
    if (!isJobName(job.operation)) throw new Error(`No handler runs the job ${job.operation}.`);
    await dispatch(job.operation, handlers, job, context);
  };
}

function dispatch<Name extends JobName>(
  name: Name,
  handlers: JobHandlers,
  job: ClaimedJob,
  context: JobContext,
): Promise<void> {
  const payload = jobCatalogue[name].payload.parse(job.request) as JobPayload<Name>;
  return handlers[name](job, payload, context);
}
